import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { HttpRecord } from '../../lib/capture/correlate/items.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toHeaderFacts } from '../../lib/state/detail/header-facts.ts';
import { httpStatus } from '../../lib/state/detail/http-status.ts';
import { redirectsBefore } from '../../lib/state/detail/redirects.ts';
import { HeaderFacts } from './HeaderFacts.tsx';
import { HeaderList } from './HeaderList.tsx';
import { SecretText } from './SecretText.tsx';
import './HeadersTab.css';

interface HeadersTabProps {
  record: HttpRecord;
  /** Grows with the record, which changes in place. */
  revision: number;
  model: AppModel;
}

/** The HTTP exchange around a message: what was asked of the browser, and what was on the wire. */
export function HeadersTab({ record, revision, model }: HeadersTabProps) {
  const { secrets, correlation } = model;
  const { request, sent, received, response, redirect } = record;
  const status = httpStatus(record);
  const facts = useMemo(() => toHeaderFacts(record, correlation), [record, revision, correlation]);
  const asked = new Set(request.headers.map(({ name }) => name.toLowerCase()));
  return (
    <div class="headers-tab">
      <section class="detail-section" aria-labelledby="headers-general">
        <div class="detail-head">
          <h2 id="headers-general">General</h2>
        </div>
        <dl class="header-list">
          <dt>Method</dt>
          <dd>{request.method}</dd>
          <dt>URL</dt>
          <dd>
            <SecretText text={request.url.text} cuts={request.url.cuts} secrets={secrets} />
          </dd>
          <dt>Status</dt>
          <dd>
            {status === undefined ? 'no response' : `${status} ${response?.statusText ?? ''}`}
          </dd>
          {received && (
            <>
              <dt>Status line</dt>
              <dd>{received.statusLine}</dd>
            </>
          )}
          {redirect && (
            <>
              <dt>Redirect to</dt>
              <dd>{redirect.target}</dd>
            </>
          )}
          {redirectsBefore(correlation.https, record).map((hop) => (
            <Fragment key={hop.httpId}>
              <dt>Redirected from</dt>
              <dd>
                <SecretText
                  text={hop.request.url.text}
                  cuts={hop.request.url.cuts}
                  secrets={secrets}
                />{' '}
                ({httpStatus(hop)})
              </dd>
            </Fragment>
          ))}
          <dt>Purpose</dt>
          <dd>{request.purpose}</dd>
        </dl>
      </section>
      {facts.length > 0 && <HeaderFacts facts={facts} secrets={secrets} />}
      <HeaderList
        title="Request headers on the wire"
        headers={sent?.headers}
        isOurs={(name) => asked.has(name.toLowerCase())}
        added={sent?.added}
        missing="Not seen: the browser reports them only where it lets an extension watch the request."
        secrets={secrets}
      />
      <HeaderList title="Request headers as asked" headers={request.headers} secrets={secrets} />
      <HeaderList
        title={received ? 'Response headers on the wire' : 'Response headers'}
        headers={(received ?? response)?.headers}
        missing="No response has arrived."
        secrets={secrets}
      />
    </div>
  );
}
