import type { Item } from '../../lib/capture/correlate/items.ts';
import type { Clause } from '../../lib/lint/clause.ts';
import type { Evidence, Issue, Severity, Side } from '../../lib/lint/issue.ts';
import type { AppModel } from '../../lib/state/app-model.ts';
import { findEvidence } from '../../lib/state/view/evidence.ts';
import { CodeWords } from '../json/CodeWords.tsx';
import './IssuesTab.css';

interface IssuesTabProps {
  item: Item;
  /** Grows with the item and its issues, which change in place. */
  revision: number;
  model: AppModel;
}

const SIGNS: Record<Severity, { sign: string; word: string }> = {
  error: { sign: '▲', word: 'Error' },
  warning: { sign: '△', word: 'Warning' },
  info: { sign: 'i', word: 'Note' },
};

const SIDES: Record<Side, string> = { server: 'by the server', client: 'by the client' };

/** What breaks the protocol, or is worth knowing, about one row. */
export function IssuesTab({ item, model }: IssuesTabProps) {
  return (
    <ul class="issue-list" aria-label="Issues">
      {model.issues.of(item).map((issue, index) => (
        <li key={`${issue.ruleId} ${index}`} class="issue">
          <IssueEntry issue={issue} model={model} />
        </li>
      ))}
    </ul>
  );
}

function IssueEntry({ issue, model }: { issue: Issue; model: AppModel }) {
  const { sign, word } = SIGNS[issue.severity];
  return (
    <>
      <p>
        <span class={`issue-${issue.severity}`}>
          <span class="issue-sign" aria-hidden="true">
            {sign}
          </span>{' '}
          {word}:
        </span>{' '}
        <strong>{issue.title}</strong>{' '}
        <span class="dim">
          {issue.ruleId}, {SIDES[issue.side]}
          {issue.count > 1 && `, ${issue.count.toLocaleString('en')} times`}
        </span>
      </p>
      <p>
        <CodeWords text={issue.message} />
      </p>
      {issue.advice !== undefined && (
        <p class="dim">
          <CodeWords text={issue.advice} />
        </p>
      )}
      <p>
        <ClauseLink clause={issue.clause} />
      </p>
      <EvidenceList evidence={issue.evidence} model={model} />
    </>
  );
}

function ClauseLink({ clause }: { clause: Clause }) {
  const { page, section, revision, url } = clause;
  if (url === '') return <span class="dim">No standard says so: a check of Wirescope's own.</span>;
  const isOfMcp = url.startsWith('https://modelcontextprotocol.io/specification/');
  const words = [isOfMcp ? `MCP ${revision}` : '', page, section].filter(Boolean).join(', ');
  return (
    <a href={url} target="_blank" rel="noreferrer" title={url}>
      {words}
    </a>
  );
}

function EvidenceList({ evidence, model }: { evidence: readonly Evidence[]; model: AppModel }) {
  const places = evidence.flatMap((one) => findEvidence(one, model.correlation) ?? []);
  if (places.length === 0) return null;
  return (
    <ul class="issue-evidence" aria-label="Evidence">
      {places.map((place, index) => (
        <li key={index}>
          <button
            type="button"
            class="link"
            onClick={() => {
              model.selection.openAt(place.item, place.tab, place.eventSequence);
              // The stream tab moves the focus to the event itself.
              if (place.tab !== 'stream') document.getElementById('traffic')?.focus();
            }}
          >
            {place.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
