import type { ExchangeDiff } from '../../lib/state/captures/compare-exchange.ts';
import { HeaderTable } from './HeaderTable.tsx';
import { TextCompare } from './TextCompare.tsx';

interface TextsProps {
  diff: ExchangeDiff;
  onlyDifferences: boolean;
  isLenient: boolean;
}

/** What two exchanges said, side by side: answers and params, then the headers of both. */
export function ExchangeTexts({ diff, ...shown }: TextsProps) {
  const { onlyDifferences } = shown;
  return (
    <>
      <TextCompare title="Answer" text={diff.answer} {...shown} />
      <TextCompare title="Params" text={diff.params} {...shown} />
      <HeaderTable
        title="Response headers"
        headers={diff.responseHeaders}
        onlyDifferences={onlyDifferences}
      />
      <HeaderTable
        title="Request headers"
        headers={diff.requestHeaders}
        onlyDifferences={onlyDifferences}
      />
    </>
  );
}
