import type { StoredUrl } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { VisibleText } from '../json/VisibleText.tsx';
import { SecretText } from '../detail/SecretText.tsx';

interface AskedPageProps {
  url: StoredUrl;
  secrets: Secrets;
}

/** The page that was opened for the user, and what it was asked with, each parameter as it was meant. */
export function AskedPage({ url, secrets }: AskedPageProps) {
  const parsed = URL.parse(url.text);
  const parameters = [...(parsed?.searchParams ?? [])];
  // Where something was cut out, only the text as a whole knows how to show it.
  const isWhole = url.cuts === undefined || url.cuts.length === 0;
  return (
    <details class="auth-said auth-page">
      <summary>Page that was opened, and what it was asked</summary>
      <dl class="header-list">
        <dt>{isWhole ? 'page' : 'URL'}</dt>
        <dd>
          {isWhole && parsed ? (
            <VisibleText text={`${parsed.origin}${parsed.pathname}`} />
          ) : (
            <SecretText text={url.text} cuts={url.cuts} secrets={secrets} />
          )}
        </dd>
        {isWhole &&
          parameters.map(([name, value], index) => [
            <dt key={`${index} name`}>
              <VisibleText text={name} />
            </dt>,
            <dd key={index}>
              <VisibleText text={value} />
            </dd>,
          ])}
      </dl>
    </details>
  );
}
