import { useId } from 'preact/hooks';
import type { Header } from '../../lib/capture/store/stored-text.ts';
import type { Secrets } from '../../lib/state/detail/secrets.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { HeaderCopy } from './HeaderCopy.tsx';
import { SecretText } from './SecretText.tsx';

interface HeaderListProps {
  title: string;
  headers: readonly Header[] | undefined;
  /** Headers known to follow below the layer that an extension can watch. */
  added?: readonly Header[] | undefined;
  /** Whether we asked for a header of this name; else the browser has added it. */
  isOurs?: (name: string) => boolean;
  /** Said instead of a list where there is none. */
  missing?: string;
  secrets: Secrets;
}

/** Headers in the order in which they came, with their case. */
export function HeaderList(props: HeaderListProps) {
  const { title, headers, added = [], isOurs = () => true, missing, secrets } = props;
  const id = useId();
  return (
    <section class="detail-section" aria-labelledby={id}>
      <div class="detail-head">
        <h2 id={id}>{title}</h2>
        {headers !== undefined && headers.length > 0 && (
          <CopyButton
            text={() => headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
            title={`Copy the ${title.toLowerCase()}; secrets stay masked`}
          />
        )}
      </div>
      {headers === undefined ? (
        <p class="dim">{missing}</p>
      ) : (
        <dl class="header-list">
          {headers.map((header, index) => (
            <HeaderEntry
              key={index}
              header={header}
              secrets={secrets}
              isAdded={!isOurs(header.name)}
            />
          ))}
          {added.map((header, index) => (
            <HeaderEntry key={`added-${index}`} header={header} secrets={secrets} isAdded />
          ))}
        </dl>
      )}
    </section>
  );
}

interface HeaderEntryProps {
  header: Header;
  secrets: Secrets;
  isAdded?: boolean;
}

function HeaderEntry({ header, secrets, isAdded }: HeaderEntryProps) {
  return (
    <>
      <dt>{header.name}</dt>
      <dd>
        <SecretText text={header.value} cuts={header.cuts} secrets={secrets} />
        {isAdded && <span class="header-added"> added by the browser</span>}
        <HeaderCopy header={header} />
      </dd>
    </>
  );
}
