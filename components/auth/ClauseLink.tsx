import type { Clause } from '../../lib/lint/clause.ts';

/** The place of a standard, as a link that opens beside the panel. */
export function ClauseLink({ clause }: { clause: Clause }) {
  const { page, section, revision, url } = clause;
  const words = page.startsWith('basic') ? `MCP ${revision}, “${section}”` : `${page}, ${section}`;
  return (
    <a href={url} target="_blank" rel="noreferrer" title={url}>
      {words}
    </a>
  );
}
