import { walks } from '../journeys.ts';
import { expect, test } from './fixtures.ts';

test('an empty panel leads to an example, and from there back to what is live', async ({
  wirescope,
}) => {
  walks('Start with an example');
  const panel = await wirescope.openPanelTab();
  const steps = panel.root.getByRole('region', { name: 'Getting started' });
  await expect(steps).toContainText('No connection has been recorded yet.');
  await steps.getByRole('button', { name: /^A login/ }).click();
  await expect(panel.rows('tools/list')).not.toHaveCount(0);
  await expect(panel.rows('Authorization')).not.toHaveCount(0);
  await expect(steps).toBeHidden();

  // It is a capture like any other from now on, and no second one comes of it.
  const again = await wirescope.openPanelTab();
  const examples = again.root.getByRole('list', { name: 'Examples' });
  await examples.getByRole('button', { name: /^A login/ }).click();
  await expect(again.rows('tools/list')).not.toHaveCount(0);
  await again.button('Captures').click();
  await expect(again.captures.filter({ hasText: 'Example: a login' })).toHaveCount(1);
});
