import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ManagerDoors } from '../../../lib/connection/manager.ts';
import type { Wish } from '../../../lib/connection/wishes/wishes.ts';
import { DEFAULT_CONNECT } from '../../../lib/port/contract.ts';
import { startTestWorker, type TestWorker } from '../../support/connected.ts';
import {
  createScriptedDoor,
  INITIALIZE_RESULT,
  type ScriptedDoor,
} from '../../support/scripted-door.ts';

const URL_TYPED = 'http://127.0.0.1:3001/mcp';
const HOST = 'http://127.0.0.1:3001/*';
let network: ScriptedDoor;
let saved: Wish[];
let origins: string[];
let keptAlive: boolean[];
let worker: TestWorker;

beforeEach(() => {
  saved = [];
  origins = [];
  keptAlive = [];
});

async function start(doors: Partial<ManagerDoors> = {}): Promise<void> {
  network = createScriptedDoor();
  worker = await startTestWorker({
    http: network.door,
    loadWishes: () => Promise.resolve(structuredClone(saved)),
    saveWishes: (wishes) => Promise.resolve(void (saved = structuredClone(wishes))),
    setOrigin: (id, url, policy) =>
      Promise.resolve(void origins.push(`set ${id} ${url} ${policy.kind}`)),
    clearOrigin: (id) => Promise.resolve(void origins.push(`clear ${id}`)),
    keepAlive: (isOn) => void keptAlive.push(isOn),
    ...doors,
  });
  worker.granted.clear();
}

async function answerHandshake(): Promise<void> {
  (await network.next('initialize')).result(INITIALIZE_RESULT);
  (await network.next('notifications/initialized')).answer(202);
}

const kinds = () => worker.events.map((event) => event.kind);

/** Everything that was recorded, as a scan of the disk would see it. */
function disk(): string {
  return JSON.stringify(worker.blocks, (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
}

describe('without permission', () => {
  test('the wish is stored before anybody is asked, and nothing is sent', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    expect(saved).toMatchObject([{ connectionId: id, hostPattern: HOST }]);
    const summary = await worker.state(id, 'asking');
    expect(summary).toMatchObject({ phase: 'permission', hostPattern: HOST, url: URL_TYPED });
    await worker.recorder.flushed();
    expect(kinds()).toEqual(['connection-opened', 'permission-asked']);
    expect(network.calls).toHaveLength(0);
  });

  test('the connection opens when the browser tells of the grant', async () => {
    await start();
    const id = await worker.connect(URL_TYPED, { openStream: false });
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    await answerHandshake();
    await worker.state(id, 'connected');
    expect(saved).toEqual([]);
    expect(kinds()).toContain('permission-granted');
    expect(origins).toEqual([`set ${id} ${URL_TYPED} none`]);
  });

  test('that it goes on is told once, for Chrome has closed the popup that asked', async () => {
    const wishGranted = vi.fn<() => void>();
    await start({ wishGranted });
    const id = await worker.connect(URL_TYPED);
    worker.granted.add('http://other/*');
    await worker.manager.permissionsAdded();
    expect(wishGranted).not.toHaveBeenCalled();
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    await worker.manager.functions.permissionAnswered(id, true);
    expect(wishGranted).toHaveBeenCalledOnce();
  });

  test('a grant of another host opens nothing', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    worker.granted.add('http://other/*');
    await worker.manager.permissionsAdded();
    expect(worker.summary(id).state).toBe('asking');
    expect(network.calls).toHaveLength(0);
  });

  test('the word of a page counts only if the browser agrees', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    await worker.manager.functions.permissionAnswered(id, true);
    expect(worker.summary(id).state).toBe('asking');
    worker.granted.add(HOST);
    await Promise.all([
      worker.manager.functions.permissionAnswered(id, true),
      worker.manager.permissionsAdded(),
    ]);
    await worker.state(id, 'connecting');
    await network.next('initialize');
    expect(network.calls).toHaveLength(1);
    expect(kinds().filter((kind) => kind === 'permission-granted')).toHaveLength(1);
  });

  test('a refusal says that nothing was sent, and can be taken back in a later life', async () => {
    await start();
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await worker.manager.functions.permissionAnswered(id, false);
    const { problem, hostPattern } = await worker.state(id, 'failed');
    expect(problem).toMatchObject({
      code: 'permission-denied',
      message: expect.stringContaining('nothing was sent'),
    });
    expect(hostPattern).toBe(HOST);
    await worker.recorder.flushed();
    expect(kinds().at(-1)).toBe('permission-denied');
    expect(network.calls).toHaveLength(0);

    const left = saved.splice(0);
    await start();
    saved = left;
    await worker.manager.restore();
    expect(await worker.state(id, 'failed')).toMatchObject({ problem, hostPattern });
    worker.granted.add(HOST);
    await worker.manager.functions.permissionAnswered(id, true);
    await answerHandshake();
    expect(await worker.state(id, 'connected')).not.toHaveProperty('problem');
    expect(saved).toEqual([]);
  });

  test('who connects to a refused host again gets one connection, not two', async () => {
    await start();
    const refused = await worker.connect(URL_TYPED);
    await worker.manager.functions.permissionAnswered(refused, false);
    const again = await worker.connect(URL_TYPED);
    await worker.state(again, 'asking');
    expect(worker.has(refused)).toBe(false);
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    await worker.state(again, 'connecting');
    await network.next('initialize');
    expect(network.calls).toHaveLength(1);
  });

  test('what was refused can be dismissed', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    await worker.manager.functions.permissionAnswered(id, false);
    await worker.manager.functions.dismiss(id);
    await worker.until(() => !worker.has(id));
    expect(saved).toEqual([]);
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    expect(network.calls).toHaveLength(0);
  });

  test('the wish can be taken back', async () => {
    await start();
    const id = await worker.connect(URL_TYPED);
    await worker.manager.functions.disconnect(id, true);
    expect(saved).toEqual([]);
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    expect(network.calls).toHaveLength(0);
    expect(kinds().at(-1)).toBe('connection-closed');
  });
});

describe('after a restart of the worker', () => {
  const wish: Wish = {
    connectionId: 'old-1',
    hostPattern: HOST,
    since: 5,
    profile: {
      ...DEFAULT_CONNECT,
      transport: 'streamable-http',
      url: URL_TYPED,
      openStream: false,
      headers: [{ name: 'X-Pin', value: 'p-774', secret: true }],
    },
  };

  test('a wish that was granted meanwhile is carried out', async () => {
    await start();
    saved = [wish];
    worker.granted.add(HOST);
    await worker.manager.restore();
    await answerHandshake();
    await worker.state('old-1', 'connected');
    expect(saved).toEqual([]);
  });

  test('a wish that still waits is shown, and waits on', async () => {
    await start();
    saved = [wish];
    await worker.manager.restore();
    expect(await worker.state('old-1', 'asking')).toMatchObject({ since: 5, hostPattern: HOST });
    expect(saved).toEqual([wish]);
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    await worker.state('old-1', 'connecting');
  });

  test('its secret headers are still secret', async () => {
    await start();
    saved = [wish];
    worker.granted.add(HOST);
    await worker.manager.restore();
    const initialize = await network.next('initialize');
    expect(initialize.header('x-pin')).toBe('p-774');
    await worker.recorder.flushed();
    expect(disk()).toContain('X-Pin');
    expect(disk()).not.toContain('p-774');
  });
});

describe('a permission that is taken away', () => {
  test('loses the connections to that host, and only those', async () => {
    await start();
    worker.granted.add(HOST);
    worker.granted.add('http://other/*');
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await answerHandshake();
    const other = await worker.connect('http://other/mcp', { openStream: false });
    await answerHandshake();
    await worker.state(id, 'connected');
    await worker.state(other, 'connected');
    worker.granted.delete(HOST);
    await worker.manager.permissionsRemoved();
    expect(await worker.state(id, 'lost')).toMatchObject({
      problem: { code: 'permission-revoked', message: expect.stringContaining(HOST) },
    });
    expect(worker.summary(other).state).toBe('connected');
    await worker.recorder.flushed();
    expect(worker.events.filter((event) => event.kind === 'permission-revoked')).toMatchObject([
      { host: HOST, connectionId: id },
    ]);
  });

  test('says so once, and whatever still arrives changes nothing; granted again, the same session goes on', async () => {
    await start();
    worker.granted.add(HOST);
    const id = await worker.connect(URL_TYPED, { openStream: false });
    (await network.next('initialize')).result(INITIALIZE_RESULT, { 'Mcp-Session-Id': 's-4471' });
    (await network.next('notifications/initialized')).answer(202);
    await worker.state(id, 'connected');
    const { session } = worker.summary(id);
    const sent = worker.manager.functions.send(id, 'tools/list', undefined);
    const list = await network.next('tools/list');
    await sent;
    worker.granted.delete(HOST);
    await worker.manager.permissionsRemoved();
    await worker.manager.permissionsRemoved();
    list.result({ tools: [] });
    await worker.recorder.flushed();
    expect(worker.summary(id)).toMatchObject({ state: 'lost', hostPattern: HOST });
    await worker.manager.permissionsAdded();
    expect(worker.summary(id)).toMatchObject({ state: 'lost', hostPattern: HOST });

    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    (await network.next('ping')).result({});
    expect((await worker.state(id, 'connected')).session).toBe(session);
    expect(session).toBeDefined();
    expect(worker.summary(id)).not.toHaveProperty('hostPattern');
    expect(worker.summary(id)).not.toHaveProperty('problem');
    await worker.recorder.flushed();
    expect(kinds().filter((kind) => kind.startsWith('permission-'))).toEqual([
      'permission-revoked',
      'permission-granted',
    ]);
  });

  test('says nothing of connections that are over', async () => {
    await start();
    worker.granted.add(HOST);
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await answerHandshake();
    await worker.state(id, 'connected');
    await worker.manager.functions.disconnect(id, false);
    worker.granted.delete(HOST);
    await worker.manager.permissionsRemoved();
    expect(worker.summary(id).state).toBe('closed');
    expect(kinds()).not.toContain('permission-revoked');
  });
});

describe('secrets', () => {
  test('of headers and parameters are in no stored event', async () => {
    await start();
    worker.granted.add(HOST);
    const id = await worker.connect(`${URL_TYPED}?api_key=q7&tenant=acme`, {
      openStream: false,
      headers: [
        { name: 'Authorization', value: 'Bearer abc/def+ghi==', secret: true },
        { name: 'X-Pin', value: '9931', secret: true },
        { name: 'X-Tenant', value: 'acme', secret: false },
      ],
    });
    const initialize = await network.next('initialize');
    const echo = { ...INITIALIZE_RESULT, instructions: 'You sent Bearer abc/def+ghi==' };
    initialize.result(echo, { 'mcp-session-id': 'session-0123456789', 'x-echo': 'abc/def+ghi==' });
    const initialized = await network.next('notifications/initialized');
    expect(initialized.header('mcp-session-id')).toBe('session-0123456789');
    initialized.answer(202);
    await worker.state(id, 'connected');
    const cut = worker.manager.functions.send(id, 'tools/list', undefined);
    await cut;
    (await network.next('tools/list')).answer(
      400,
      'text/plain',
      'bad token abc/def+ghi== in session-0123456789',
    );
    await worker.until(
      () => worker.events.filter((event) => event.kind === 'http-end').length === 3,
    );
    await worker.recorder.flushed();
    const text = disk();
    for (const secret of ['abc/def', 'ghi==', '9931', 'session-01', '0123456789', 'key=q7']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('acme');
    expect(text).toContain('"Bearer ***');
    const cuts = worker.events.flatMap((event) =>
      event.kind === 'session-assigned' ? event.cuts : [],
    );
    const held = await worker.manager.functions.reveal([cuts[0]!.secret, 'none']);
    expect(held).toEqual({ [cuts[0]!.secret]: 'session-0123456789' });
  });
});

describe('the rest', () => {
  test('keeps the worker alive exactly while something is open', async () => {
    await start();
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await worker.until(() => keptAlive.at(-1) === true);
    worker.granted.add(HOST);
    await worker.manager.permissionsAdded();
    await answerHandshake();
    await worker.state(id, 'connected');
    expect(keptAlive.at(-1)).toBe(true);
    await worker.manager.functions.disconnect(id, false);
    await worker.until(() => keptAlive.at(-1) === false);
    expect(origins.at(-1)).toBe(`clear ${id}`);
  });

  test('remembers a server once it is connected, and survives a store that fails', async () => {
    await start();
    worker.granted.add(HOST);
    worker.kept.isBroken = true;
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await answerHandshake();
    await worker.state(id, 'connected');
    // Vitest fails this file for a rejection that nobody handles.
    await new Promise((resolve) => setImmediate(resolve));
    worker.kept.isBroken = false;
    const again = await worker.connect(URL_TYPED, { openStream: false });
    await answerHandshake();
    await worker.state(again, 'connected');
    await vi.waitUntil(() => worker.kept.recents.length === 1, { timeout: 10_000, interval: 1 });
    expect(await worker.manager.functions.recentServers()).toMatchObject([
      { url: URL_TYPED, name: 'scripted' },
    ]);
    await worker.manager.functions.forgetServer(URL_TYPED);
    expect(await worker.manager.functions.recentServers()).toEqual([]);
  });

  test('changes how an open connection answers, for the next life of the worker too, and says so', async () => {
    let open: Wish[] = [];
    await start({ saveOpen: async (wishes) => void (open = structuredClone(wishes)) });
    worker.granted.add(HOST);
    const { functions } = worker.manager;
    const id = await worker.connect(URL_TYPED, { openStream: false });
    await answerHandshake();
    await worker.state(id, 'connected');
    expect(await functions.answers(id)).toEqual(DEFAULT_CONNECT.answers);
    const policies = { elicitation: 'decline', sampling: 'refuse', roots: 'ask' } as const;
    expect(await functions.answers(id, policies)).toEqual(policies);
    expect(await functions.answers(id)).toEqual(policies);
    expect(open.at(-1)?.profile.answers).toEqual(policies);
    await worker.recorder.flushed();
    expect(worker.events.findLast(({ kind }) => kind === 'override-chosen')).toMatchObject({
      what: 'Answers from now on: elicitation decline, sampling refuse, roots ask',
      connectionId: id,
    });
    await functions.disconnect(id, false);
    expect(await functions.answers(id, policies)).toBeUndefined();
  });

  test('refuses what cannot be connected to, and records nothing of it', async () => {
    await start();
    await expect(worker.connect('nonsense url')).rejects.toMatchObject({
      problem: { code: 'url-invalid' },
    });
    await worker.recorder.flushed();
    expect(worker.events).toEqual([]);
  });

  test('knows nothing of a connection that it never had', async () => {
    await start();
    await worker.manager.functions.disconnect('nobody', true);
    await worker.manager.functions.dismiss('nobody');
    await worker.manager.functions.permissionAnswered('nobody', true);
    await expect(worker.manager.functions.cancel('nobody', '1')).rejects.toMatchObject({
      problem: { code: 'not-connected' },
    });
    expect(network.calls).toHaveLength(0);
  });
});
