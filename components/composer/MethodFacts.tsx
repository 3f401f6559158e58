import type { Composer } from '../../lib/state/composer/composer-model.ts';
import { revisionName } from '../../lib/protocol/request-methods.ts';

/** What the chosen method is for, and how it stands in the revision of the connection. */
export function MethodFacts({ id, composer }: { id: string; composer: Composer }) {
  const about = composer.about.value;
  const { era, revision } = composer.connection.value ?? {};
  return (
    <p id={id} class="send-about dim">
      {about === undefined ? (
        `Not a method of ${revisionName(era, revision)}.`
      ) : (
        <>
          {about.mark !== undefined && <strong class="send-mark">{about.mark}</strong>} {about.does}
        </>
      )}
    </p>
  );
}
