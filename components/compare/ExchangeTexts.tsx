import type { ExchangeDiff } from '../../lib/state/captures/compare-exchange.ts';
import { HeaderTable } from './HeaderTable.tsx';
import { TextCompare } from './TextCompare.tsx';

interface TextsProps {
  diff: ExchangeDiff;
  /** What the two are called. */
  sides?: readonly [string, string];
  onlyDifferences: boolean;
  isLenient: boolean;
}

const SIDES = ['First', 'Second'] as const;

/** What two exchanges said, side by side: answers and params, then the headers of both. */
export function ExchangeTexts({ diff, sides = SIDES, ...shown }: TextsProps) {
  const { onlyDifferences } = shown;
  return (
    <>
      <TextCompare title="Answer" text={diff.answer} {...shown} />
      <TextCompare title="Params" text={diff.params} {...shown} />
      <HeaderTable
        title="Response headers"
        headers={diff.responseHeaders}
        onlyDifferences={onlyDifferences}
        sides={sides}
      />
      <HeaderTable
        title="Request headers"
        headers={diff.requestHeaders}
        onlyDifferences={onlyDifferences}
        sides={sides}
      />
    </>
  );
}
