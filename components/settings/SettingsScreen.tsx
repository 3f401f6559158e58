import { useEffect, useMemo } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { createSettingsModel } from '../../lib/state/settings-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { Screen } from '../ui/Screen.tsx';
import { NewConnections } from './NewConnections.tsx';
import { SavedServers } from './SavedServers.tsx';
import './SettingsScreen.css';

const THEMES = [
  ['automatic', 'As DevTools or the system has it'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** What holds for all pages and all connections; over the traffic. */
export function SettingsScreen({ model }: { model: AppModel }) {
  const settings = useMemo(() => createSettingsModel(model.settings), [model]);
  useEffect(() => void settings.refresh(), [settings]);
  const problem = settings.problem.value;
  const outcome = settings.outcome.value;
  const options = settings.options.value;
  return (
    <Screen id="settings" title="Settings" isOpen={model.settings.isOpen}>
      <div class="screen-body">
        {problem !== undefined && <ProblemNotice problem={problem} isAlert />}
        <div role="status" class="settings-said">
          {outcome?.text}
          {outcome !== undefined && outcome.details.length > 0 && (
            <ul>
              {outcome.details.map(({ name, why }, index) => (
                <li key={index}>
                  <strong>{name}:</strong> {why}
                </li>
              ))}
            </ul>
          )}
        </div>
        <fieldset class="settings-theme">
          <legend>Theme</legend>
          {THEMES.map(([choice, title]) => (
            <label key={choice} class="option-check">
              <input
                type="radio"
                name="theme"
                checked={settings.theme.value === choice}
                onChange={() => void settings.setTheme(choice)}
              />
              {title}
            </label>
          ))}
        </fieldset>
        {options !== undefined && (
          <NewConnections options={options} onSave={() => void settings.saveOptions()} />
        )}
        <SavedServers
          settings={settings}
          onUse={(server) => {
            model.form.use(server);
            model.settings.isOpen.value = false;
            document.getElementById('connect-url')?.focus();
          }}
        />
        <section aria-labelledby="settings-more">
          <h3 id="settings-more">More</h3>
          <p>
            How much may be stored is under{' '}
            <button type="button" class="link" onClick={() => (model.storage.isOpen.value = true)}>
              Captures
            </button>
            , the tokens that are held under{' '}
            <button
              type="button"
              class="link"
              onClick={() => (model.credentials.isOpen.value = true)}
            >
              Credentials
            </button>
            .
          </p>
          <p>
            <button type="button" class="bordered" onClick={() => void settings.reset()}>
              Reset all settings
            </button>{' '}
            <span class="dim">Theme and new connections. Servers, captures and tokens stay.</span>
          </p>
        </section>
      </div>
    </Screen>
  );
}
