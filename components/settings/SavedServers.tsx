import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RecentServer } from '../../lib/port/contract.ts';
import type { SettingsModel } from '../../lib/state/settings-model.ts';
import { formatCount } from '../../lib/text.ts';
import { saveFile } from '../ui/save-file.ts';

interface SavedServersProps {
  settings: SettingsModel;
  onUse: (server: RecentServer) => void;
}

/** The servers that are known, and their ways in and out. */
export function SavedServers({ settings, onUse }: SavedServersProps) {
  const servers = settings.servers.value;
  const input = useRef<HTMLInputElement>(null);
  const isPasting = useSignal(false);
  return (
    <section aria-labelledby="settings-servers">
      <h3 id="settings-servers">Servers</h3>
      <p class="settings-actions">
        <button type="button" class="bordered" onClick={() => input.current?.click()}>
          Import a file…
        </button>
        <button
          type="button"
          class="bordered"
          aria-expanded={isPasting.value}
          onClick={() => (isPasting.value = !isPasting.value)}
        >
          Paste a configuration
        </button>
        <button
          type="button"
          class="bordered"
          disabled={servers.length === 0}
          title="Without secret values"
          onClick={() =>
            saveFile('wirescope-servers.json', [settings.exportText()], 'application/json')
          }
        >
          Export
        </button>
        <button
          type="button"
          class="bordered"
          disabled={servers.length === 0}
          onClick={() => void settings.forgetAll()}
        >
          Forget all
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,.jsonc,application/json"
          aria-label="Configuration to import"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) void file.text().then((text) => settings.importText(text));
            // The same file may be chosen again.
            currentTarget.value = '';
          }}
        />
      </p>
      <p class="dim">
        Reads mcpServers (Claude, Cursor, Windsurf and others), VS Code’s servers, a registry’s
        server.json, and its own exports.
      </p>
      {isPasting.value && <PasteForm settings={settings} />}
      {servers.length > 0 && <ServerTable settings={settings} onUse={onUse} />}
    </section>
  );
}

function PasteForm({ settings }: { settings: SettingsModel }) {
  const text = useSignal('');
  return (
    <div class="settings-paste">
      <textarea
        class="wire"
        rows={6}
        aria-label="Configuration"
        placeholder={'{ "mcpServers": { "docs": { "url": "https://…" } } }'}
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button
        type="button"
        class="bordered"
        disabled={text.value.trim() === ''}
        onClick={() => void settings.importText(text.value)}
      >
        Import
      </button>
    </div>
  );
}

function ServerTable({ settings, onUse }: SavedServersProps) {
  return (
    <div class="settings-table">
      <table>
        <thead>
          <tr>
            {['URL', 'Name', 'Headers'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {settings.servers.value.map((server) => (
            <tr key={server.url}>
              <td class="wire">{server.url}</td>
              <td>{server.name}</td>
              <td>{server.headers.length > 0 && formatCount(server.headers.length, 'header')}</td>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-label={`Use ${server.url}`}
                  onClick={() => onUse(server)}
                >
                  Use
                </button>
                <button
                  type="button"
                  class="link"
                  aria-label={`Forget ${server.url}`}
                  onClick={() => void settings.forget(server.url)}
                >
                  Forget
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
