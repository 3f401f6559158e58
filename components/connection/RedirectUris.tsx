import { useEffect, useState } from 'preact/hooks';
import type { RedirectUris as Uris } from '../../lib/port/contract.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { CopyButton } from '../ui/CopyButton.tsx';

interface RedirectUrisProps {
  background: AppModel['credentials']['background'];
  /** Which of them the next login redirects to. */
  used: keyof Uris;
}

/** Where an authorization server redirects to: what is to be registered with a client by hand. */
export function RedirectUris({ background, used }: RedirectUrisProps) {
  const [uris, setUris] = useState<Uris | 'unknown' | undefined>(undefined);
  useEffect(() => {
    background.redirectUris().then(setUris, () => setUris('unknown'));
  }, [background]);
  if (uris === undefined) return null;
  if (uris === 'unknown') return <p class="dim">The redirect URI cannot be told here.</p>;
  return (
    <div class="option-copied">
      <span class="dim">Redirect URI to register:</span>
      <code>{uris[used]}</code>
      <CopyButton text={() => uris[used]} title="Copy the redirect URI" />
    </div>
  );
}
