import { resolve } from 'node:path';
import { startFirefox, type Firefox } from './firefox.ts';
import { Page } from './page.ts';
import { Part } from './part.ts';
import { answerPrompt } from './privileged.ts';

const BUTTON = { end: /^(?:Disconnect|Stop|Dismiss)$/, composer: 'Send a request' };

/** The panel that is in front, in the toolbox or in a tab. */
export class Panel extends Part {
  readonly #page: Page;

  constructor({ marionette }: Firefox) {
    super(marionette);
    this.#page = new Page(marionette);
  }

  get traffic(): Part {
    return this.role('treegrid', 'Traffic');
  }

  get details(): Part {
    return this.role('region', 'Details');
  }

  get connections(): Part {
    return this.role('status', 'Connections');
  }

  get capture(): Part {
    return this.role('status', 'Capture');
  }

  /** Traffic rows whose text is like all of these. */
  rows(...parts: RegExp[]): Part {
    const all = this.traffic.role('row').holding('gridcell');
    return parts.reduce((found, part) => found.like(part), all);
  }

  /** Rows of our own requests of a method. */
  requests(method: string): Part {
    return this.rows(new RegExp(`↑ ${method}(?: |$)`));
  }

  button(name: string | RegExp): Part {
    return this.role('button', name);
  }

  /** Selects a row and opens its details. */
  async open(row: Part): Promise<void> {
    await row.click();
    await this.traffic.press('Enter');
    await this.details.appears();
  }

  async showTab(name: string | RegExp): Promise<void> {
    await this.role('tablist', 'Details').role('tab', name).click();
  }

  /** Connects, and waits until that is done. */
  async connect(url: string): Promise<void> {
    await this.#page.connect(url);
    await this.connections.shows(/\bconnected\b/);
  }

  /** Connects to the first server of this browser, which asks whether it may. */
  async connectFirst(firefox: Firefox, url: string): Promise<void> {
    await this.#page.connect(url);
    await answerPrompt(firefox, 'allow');
    await this.connections.shows(/\bconnected\b/);
  }

  /** Tries to connect. */
  async tryToConnect(url: string): Promise<void> {
    await this.#page.connect(url);
  }

  /** Ends and dismisses every connection. */
  async endConnections(): Promise<void> {
    const buttons = this.connections.role('button', BUTTON.end);
    while ((await this.connections.role('listitem').texts()).length > 0) {
      if ((await buttons.texts()).length > 0) await buttons.at(0).clickIfThere();
    }
  }

  /** Writes a request into the form for one’s own requests. */
  async write(method: string, params: unknown): Promise<void> {
    const field = this.role('combobox', 'Method');
    if ((await field.texts()).length === 0) await this.button(BUTTON.composer).click();
    await this.#page.fill('Method', method);
    await this.#page.fill('Params (JSON)', JSON.stringify(params));
  }

  /** Sends a request by that form. */
  async send(method: string, params: unknown = {}): Promise<void> {
    await this.write(method, params);
    await this.button('Send').click();
  }

  /** Closes the form, so that there is room for rows. */
  async closeComposer(): Promise<void> {
    if ((await this.role('combobox', 'Method').texts()).length === 0) return;
    await this.button(BUTTON.composer).click();
  }

  /** Changes options of the next connection, which are closed again. */
  async setOptions(act: (options: Part) => Promise<void>): Promise<void> {
    await this.button(/^Options/).click();
    await act(this.role('region', 'Options for the next connection'));
    await this.button(/^Options/).click();
  }
}

/** Starts Firefox with the built extension, and its panel in the first tab. */
export async function startPanel(): Promise<{ firefox: Firefox; panel: Panel }> {
  const firefox = await startFirefox(resolve('.output/firefox-mv3'));
  await openPanelTab(firefox);
  return { firefox, panel: new Panel(firefox) };
}

/** Shows the panel in the first tab. */
export async function openPanelTab(firefox: Firefox): Promise<void> {
  const { marionette, tab } = firefox;
  await marionette.command('WebDriver:SwitchToWindow', { handle: tab });
  await marionette.command('WebDriver:Navigate', { url: firefox.pageUrl('panel.html') });
}
