/** A broken server by its name, what must be found there and nothing else, and what it must say. */
export type FeatureLiveCase = [name: string, found: string[], says: RegExp];

/** Broken servers that are met by the messages that they send. */
export const MESSAGE_LIVE_CASES: readonly FeatureLiveCase[] = [
  ['null-id', ['RPC-02 error'], /`ping` has the id null/],
  ['same-id', ['RPC-03 warning'], /The id "a" of `roots\/list` was used before, by `ping`/],
  ['reserved-meta', ['RPC-08 warning'], /dev\.mcp\/x/],
  ['unpromised-change', ['LIF-04 error'], /did not declare `tools\.listChanged`/],
  ['cancels-ours', ['LIF-05 error'], /77/],
  ['still-progress', ['PRG-02 error'], /went from 1 to 1; it must increase/],
  ['late-log', ['HTT-05 warning'], /after its response|after the response/],
  ['short-session', ['SES-01 warning'], /session id/],
];

/** Broken servers that are met by what they offer. */
export const FEATURE_LIVE_CASES: readonly FeatureLiveCase[] = [
  ['log-undeclared', ['LOG-01 error'], /did not declare `logging`/],
  ['log-below', ['LOG-01 warning'], /level "info" came; "warning" and above were asked for/],
  ['no-input-schema', ['TOO-01 error'], /Of the tool "x": the inputSchema is null/],
  ['bad-schema', ['TOO-01 error'], /in the inputSchema, properties\.a: type is "strng"/],
  [
    'array-output',
    ['TOO-01 error'],
    /the outputSchema is \{"type":"array"\}, not one of an object/,
  ],
  ['no-structured', ['TOO-02 error'], /there is no structuredContent/],
  ['misfit-structured', ['TOO-02 error'], /degrees: "20" is no number/],
  ['no-text', ['TOO-02 warning'], /is structured only/],
  ['odd-name', ['TOO-03 warning'], /The tool name "a b"/],
  ['link-too-early', ['TOO-04 error'], /"resource_link", which 2025-03-26 does not have/],
  ['bad-image', ['TOO-04 error'], /of the type image, and its data is not base64/],
  ['prompt-block', ['TOO-04 error'], /has the type nothing/],
  ['no-uri', ['RES-01 error'], /an entry has the uri nothing/],
  ['missing-resource', ['RES-01 warning'], /refused with -32603; the code for it is -32002/],
  ['null-cursor', ['PAG-01 warning'], /nextCursor of `tools\/list` is null, not a string/],
  ['endless', ['PAG-01 warning'], /is "a" again, so the list has no end/],
  ['many-completions', ['CMP-01 error'], /101 completions; there may be 100/],
  ['nested-form', ['ELI-01 error'], /the field "address" is an object, and forms are flat/],
  ['secret-form', ['ELI-01 warning'], /looks like a secret: "password"/],
  ['no-url', ['ELI-02 error'], /its url is "nowhere" and its elicitationId is nothing/],
  ['plain-url', ['ELI-02 warning'], /http:\/\/example\.com\/, which is not HTTPS/],
  ['no-max-tokens', ['SAM-01 error'], /maxTokens is nothing/],
  ['open-tool-use', ['SAM-01 error'], /the tool_use "u" of message 1 is not answered/],
  ['revived-task', ['TSK-01 error'], /went from "completed" to "working"; it was over/],
  ['timeless-task', ['TSK-01 error'], /its createdAt is nothing/],
  ['unrelated-result', ['TSK-01 error'], /has no io\.modelcontextprotocol\/related-task/],
  ['modern-order', ['TOO-05 warning'], /in another order: "b" where "a" was/],
  ['modern-varying-list', ['TOO-05 warning'], /Another connection was told other tools/],
  ['modern-network-ref', ['TOO-05 warning'], /refers to "https:\/\/example\.com\/a"/],
  ['modern-no-contents', ['RES-01 error'], /answered by no contents at all/],
  ['modern-null-cursor', ['PAG-01 error'], /is null, not a string/],
  ['modern-failed-task', ['TSK-02 error'], /is "failed" because of isError/],
  ['modern-poll-type', ['TSK-02 warning'], /has the resultType "task", not "complete"/],
  ['odd-icon', ['SEC-02 error'], /"javascript:alert\(1\)" is neither HTTPS nor/],
  ['foreign-icon', ['SEC-02 warning'], /is of another origin than the server/],
];
