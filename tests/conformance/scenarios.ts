import type { AuthSettings, HandClient } from '../../lib/capture/auth-settings.ts';
import type { AnswerPolicies } from '../../lib/port/contract.ts';
import { paramHeadersOf } from '../../lib/protocol/param-headers.ts';
import { MODERN_REVISIONS } from '../../lib/protocol/revisions.ts';
import type { Session } from './session.ts';

/** What a scenario has a client do. Everything else is the library's own behaviour. */
interface Scenario {
  answers?: Partial<AnswerPolicies>;
  auth?(context: Context): AuthSettings;
  calls(session: Session, context: Context): Promise<void>;
}

/** What the suite hands to some scenarios. */
export interface Context {
  toolCalls?: { name: string; arguments: object }[];
  client_id?: string;
  client_secret?: string;
  issuer?: string;
  private_key_pem?: string;
  signing_algorithm?: string;
  idp_client_id?: string;
  idp_id_token?: string;
  idp_issuer?: string;
  idp_token_endpoint?: string;
  valid_jwt?: string;
}

const list = async (session: Session) => void (await session.request('tools/list'));

async function listThenCall(session: Session, tool: string, callArguments?: object): Promise<void> {
  await list(session);
  await session.callTool(tool, callArguments);
}

const INITIALIZE = {
  protocolVersion: MODERN_REVISIONS[0],
  capabilities: {},
  clientInfo: { name: 'Wirescope', version: '0.0.0' },
};

const SCENARIOS: Record<string, Scenario> = {
  initialize: { calls: list },
  tools_call: { calls: (session) => listThenCall(session, 'add_numbers', { a: 5, b: 3 }) },
  'elicitation-sep1034-client-defaults': {
    answers: { elicitation: 'defaults' },
    calls: (session) => listThenCall(session, 'test_client_elicitation_defaults'),
  },
  'sse-retry': { calls: (session) => listThenCall(session, 'test_reconnection') },
  'request-metadata': { calls: list },
  'sep-2322-client-request-state': { answers: { elicitation: 'ask' }, calls: goThroughRounds },
  'http-standard-headers': { calls: useEachKind },
  'http-custom-headers': {
    async calls(session, { toolCalls = [] }) {
      await list(session);
      for (const call of toolCalls) await session.callTool(call.name, call.arguments);
    },
  },
  'http-invalid-tool-headers': { calls: callUsableTools },
  'json-schema-ref-no-deref': { calls: list },
  'json-schema-2020-12-preservation': { calls: echoSchema },
  'sep-2640-client-no-prefetch': {
    calls: async (session) => void (await session.request('skills/list')),
  },
};

/** The calls of a scenario; `undefined` for one that is not known here. */
export function scenarioOf(name: string): Scenario | undefined {
  if (name.startsWith('auth/')) return { auth: authOf(name), calls: AUTH_CALLS };
  // A skill is loaded by a host with a model; ours shows what a server lists, and loads nothing.
  if (name.startsWith('sep-2640-client-verify-')) return { calls: () => Promise.resolve() };
  return SCENARIOS[name];
}

const AUTH_CALLS = (session: Session) => listThenCall(session, 'test-tool');

/** Where the suite expects a client ID metadata document; it is never fetched. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** What a user would enter under Authorization. */
function authOf(name: string): (context: Context) => AuthSettings {
  switch (name) {
    case 'auth/basic-cimd':
      return () => ({ grant: 'authorization-code', clientMetadataUrl: CLIENT_METADATA_URL });
    case 'auth/pre-registration':
      return (context) => ({ grant: 'authorization-code', client: clientIn(context) });
    case 'auth/client-credentials-jwt':
    case 'auth/client-credentials-basic':
      return (context) => ({ grant: 'client-credentials', client: clientIn(context) });
    case 'auth/enterprise-managed-authorization':
      return (context) => ({
        grant: 'enterprise-managed',
        client: clientIn(context),
        identityProvider: {
          issuer: context.idp_issuer ?? '',
          tokenEndpoint: context.idp_token_endpoint ?? '',
          clientId: context.idp_client_id ?? '',
          idToken: context.idp_id_token ?? '',
        },
      });
    case 'auth/wif-jwt-bearer':
      return (context) => ({
        grant: 'workload-identity',
        client: clientIn(context),
        workloadToken: context.valid_jwt ?? '',
      });
    default:
      return () => ({ grant: 'authorization-code' });
  }
}

function clientIn(context: Context): HandClient {
  const { client_id: id = '', client_secret, issuer, private_key_pem, signing_algorithm } = context;
  return {
    id,
    ...(issuer === undefined ? {} : { issuer }),
    ...(client_secret === undefined ? {} : { secret: client_secret }),
    ...(private_key_pem === undefined ? {} : { privateKeyPem: private_key_pem }),
    ...(signing_algorithm === undefined ? {} : { algorithm: signing_algorithm }),
  };
}

/** While the user thinks about one tool's question, another tool is called. */
async function goThroughRounds(session: Session): Promise<void> {
  await list(session);
  const withState = session.callTool('test_mrtr_echo_state');
  const question = await session.question();
  await session.callTool('test_mrtr_unrelated');
  await session.accept(question, { confirmed: true });
  await withState;
  const withoutState = session.callTool('test_mrtr_no_state');
  await session.accept(await session.question(), { confirmed: true });
  await withoutState;
  await session.callTool('test_mrtr_no_result_type');
}

async function useEachKind(session: Session): Promise<void> {
  // Revision 2026-07-28 has neither of the two; the scenario asks for the headers of both all the same.
  await session.request('initialize', INITIALIZE);
  await session.notify('notifications/initialized');
  const [tool] = entries(await session.request('tools/list'), 'tools');
  await session.callTool(text(tool, 'name'));
  const [resource] = entries(await session.request('resources/list'), 'resources');
  await session.request('resources/read', { uri: text(resource, 'uri') });
  const [prompt] = entries(await session.request('prompts/list'), 'prompts');
  await session.request('prompts/get', { name: text(prompt, 'name'), arguments: {} });
}

/** Tools with annotations that break a rule are left out (2026-07-28, server/tools, "x-mcp-header"). */
async function callUsableTools(session: Session): Promise<void> {
  const tools = entries(await session.request('tools/list'), 'tools');
  for (const tool of tools.filter(({ inputSchema }) => paramHeadersOf(inputSchema).ok)) {
    await session.callTool(text(tool, 'name'), { region: 'us-west1' });
  }
}

async function echoSchema(session: Session): Promise<void> {
  const tools = entries(await session.request('tools/list'), 'tools');
  const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  await session.callTool('json_schema_echo', { schema: tool?.['inputSchema'] });
}

type Entry = Record<string, unknown>;

function entries(result: Entry, key: string): Entry[] {
  const value = result[key];
  if (!Array.isArray(value) || value.length === 0) throw new Error(`the result lists no ${key}`);
  return value as Entry[];
}

function text(entry: Entry | undefined, key: string): string {
  const value = entry?.[key];
  if (typeof value !== 'string') throw new Error(`an entry of a list has no ${key}`);
  return value;
}
