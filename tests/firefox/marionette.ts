import { connect } from 'node:net';
import type { Socket } from 'node:net';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (reason: Error) => void;
}

interface RemoteError {
  error: string;
  message: string;
  stacktrace?: string;
}

type Reply = [type: 1, id: number, error: RemoteError | null, result: unknown];

/** What a script sends back: its value, or the text of its error. */
type Outcome<T> = { value: T } | { failure: string };

/** Ctrl+A, where naming the key again lets it go, and Delete. */
const SELECT_ALL = '\uE009a\uE009';
const DELETE = '\uE017';

/** Firefox's own automation protocol: JSON with a length in bytes before it, over TCP. */
export class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #buffer = Buffer.alloc(0);
  #nextId = 1;
  #onHello: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (data: Buffer) => this.#read(data));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox is gone.'));
      this.#waiting.clear();
    });
  }

  static async connect(port: number): Promise<Marionette> {
    const socket = connect({ port, host: '127.0.0.1' });
    const marionette = new Marionette(socket);
    await new Promise<void>((resolve, reject) => {
      marionette.#onHello = resolve;
      socket.once('error', reject);
    });
    return marionette;
  }

  /** Sends a command; rejects with Firefox's own error. */
  async command<T>(name: string, params: object = {}): Promise<T> {
    const id = this.#nextId++;
    const body = Buffer.from(JSON.stringify([0, id, name, params]));
    const reply = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.#socket.write(Buffer.concat([Buffer.from(`${body.length}:`), body]));
    return (await reply) as T;
  }

  /** Runs a function in the page that is in front; its arguments and its value are JSON. */
  async run<Args extends unknown[], T>(
    script: (...args: Args) => T | Promise<T>,
    ...args: Args
  ): Promise<T> {
    return await this.evaluate<T>(script.toString(), args);
  }

  /** Runs the source of a function, of which elements come back as references. */
  async evaluate<T>(script: string, args: unknown[]): Promise<T> {
    const source = `
      const [args, done] = arguments;
      (async () => (${script})(...args))().then(
        (value) => done({ value: value === undefined ? null : value }),
        (error) => done({ failure: String(error) + '\\n' + (error?.stack ?? '') }),
      );`;
    const { value } = await this.command<{ value: Outcome<T> }>('WebDriver:ExecuteAsyncScript', {
      script: source,
      args: [args],
      newSandbox: true,
    });
    if ('failure' in value) throw new Error(value.failure);
    return value.value;
  }

  /** Runs a function with the rights of the browser itself. */
  async runPrivileged<Args extends unknown[], T>(
    script: (...args: Args) => T | Promise<T>,
    ...args: Args
  ): Promise<T> {
    await this.command('Marionette:SetContext', { value: 'chrome' });
    try {
      return await this.run(script, ...args);
    } finally {
      await this.command('Marionette:SetContext', { value: 'content' });
    }
  }

  /** A reference to the first element; rejects when there is none. */
  async find(selector: string): Promise<string> {
    const using = selector.startsWith('//') ? 'xpath' : 'css selector';
    const { value } = await this.command<{ value: Record<string, string> }>(
      'WebDriver:FindElement',
      { using, value: selector },
    );
    return value[ELEMENT] ?? '';
  }

  /** Clicks as a user: Firefox counts it as one. */
  async click(selector: string): Promise<void> {
    const id = await this.find(selector);
    try {
      await this.command('WebDriver:ElementClick', { id });
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('element click intercepted')))
        throw error;
      // Under buttons that stay where they are: what is scrolled out from below them can be clicked.
      const script =
        '(arguments[0].closest("select") ?? arguments[0]).scrollIntoView({ block: "center" })';
      const args = [{ [ELEMENT]: id }];
      await this.command('WebDriver:ExecuteScript', { script, args });
      await this.command('WebDriver:ElementClick', { id });
    }
  }

  /** Replaces the content of a field. */
  async fill(selector: string, text: string): Promise<void> {
    const id = await this.find(selector);
    // To clear it by command tells the page nothing, and the page would put its text back.
    const isEditor = await this.run((wanted: string) => {
      const first = XPathResult.FIRST_ORDERED_NODE_TYPE;
      const field = wanted.startsWith('//')
        ? document.evaluate(wanted, document, null, first).singleNodeValue
        : document.querySelector(wanted);
      if (field === null || !('value' in field)) return field instanceof HTMLElement;
      field.value = '';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      return false;
    }, selector);
    // An editor knows of nothing but keys.
    const keys = isEditor ? `${SELECT_ALL}${DELETE}${text}` : text;
    await this.command('WebDriver:ElementSendKeys', { id, text: keys });
  }

  /** Presses keys, and types, where the focus is. */
  async type(text: string): Promise<void> {
    const { value } = await this.command<{ value: Record<string, string> }>(
      'WebDriver:GetActiveElement',
    );
    await this.command('WebDriver:ElementSendKeys', { id: value[ELEMENT], text });
  }

  /** Gives a file to a field for files. */
  async choose(selector: string, path: string): Promise<void> {
    const id = await this.find(selector);
    await this.command('WebDriver:ElementSendKeys', { id, text: path });
  }

  /** Text of the first element as it is shown; empty when there is none. */
  async text(selector: string): Promise<string> {
    return await this.run((css) => {
      const element = document.querySelector<HTMLElement>(css);
      return element?.innerText ?? '';
    }, selector);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const colon = this.#buffer.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(this.#buffer.subarray(0, colon).toString());
      if (this.#buffer.length < end) return;
      const message: unknown = JSON.parse(this.#buffer.subarray(colon + 1, end).toString());
      this.#buffer = this.#buffer.subarray(end);
      if (Array.isArray(message)) this.#settle(message as Reply);
      else this.#onHello();
    }
  }

  #settle([, id, error, result]: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.resolve(result);
    else waiting?.reject(new Error(`${error.error}: ${error.message}`));
  }
}
