/** One step of the way to a part of a page. A text is the whole of it, without its outer spaces. */
export type Step =
  | { role: string; name?: Wanted | undefined }
  | { text: Wanted }
  | { holds: string }
  | { css: string }
  | { isActive: true }
  | { at: number };

export type Wanted = string | { source: string; flags: string };

/**
 * The elements of a page that steps lead to, by role and accessible name, as far as they can be seen. Runs in the
 * page, so it stands by itself.
 */
export function look(steps: readonly Step[]): Element[] {
  const TAGS: Record<string, string> = {
    A: 'link',
    ARTICLE: 'article',
    ASIDE: 'complementary',
    BUTTON: 'button',
    DETAILS: 'group',
    DIALOG: 'dialog',
    FIELDSET: 'group',
    H1: 'heading',
    H2: 'heading',
    H3: 'heading',
    IMG: 'img',
    LI: 'listitem',
    MAIN: 'main',
    OL: 'list',
    OPTION: 'option',
    OUTPUT: 'status',
    SECTION: 'region',
    SUMMARY: 'summary',
    TABLE: 'table',
    TD: 'cell',
    TEXTAREA: 'textbox',
    TR: 'row',
    UL: 'list',
  };
  const INPUTS: Record<string, string> = {
    checkbox: 'checkbox',
    file: 'file',
    number: 'spinbutton',
    radio: 'radio',
    search: 'searchbox',
  };
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  const matches = (text: string, wanted: Wanted) =>
    typeof wanted === 'string'
      ? text === wanted
      : new RegExp(wanted.source, wanted.flags).test(text);

  const roleOf = (element: Element): string => {
    const given = element.getAttribute('role');
    if (given !== null) return given;
    if (element instanceof HTMLInputElement) {
      return INPUTS[element.type] ?? (element.hasAttribute('list') ? 'combobox' : 'textbox');
    }
    if (element instanceof HTMLSelectElement) return element.multiple ? 'listbox' : 'combobox';
    if (element.tagName === 'TH') {
      return element.getAttribute('scope') === 'row' ? 'rowheader' : 'columnheader';
    }
    return TAGS[element.tagName] ?? '';
  };
  const contentOf = (node: Node): string => {
    if (!(node instanceof Element)) return node.textContent ?? '';
    if (node.getAttribute('aria-hidden') === 'true') return '';
    const label = node.getAttribute('aria-label') ?? node.getAttribute('alt');
    return label ?? [...node.childNodes].map(contentOf).join(' ');
  };
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby');
    const named = by?.split(/\s+/).map((id) => element.ownerDocument.getElementById(id));
    if (named !== undefined) return named.map((other) => other?.textContent ?? '').join(' ');
    const given = element.getAttribute('aria-label');
    if (given !== null) return given;
    if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
    ) {
      // The label without the choices that stand in it.
      const labels = [...(element.labels ?? [])].map((label) => {
        const copy = label.cloneNode(true) as Element;
        for (const field of copy.querySelectorAll('select, textarea, datalist')) field.remove();
        return copy.textContent ?? '';
      });
      return labels.join(' ') || element.title;
    }
    if (element instanceof HTMLTableElement && element.caption !== null) {
      return element.caption.textContent ?? '';
    }
    return contentOf(element) || (element.getAttribute('title') ?? '');
  };
  const isSeen = (element: Element) =>
    (element instanceof HTMLOptionElement ||
      element.checkVisibility({ visibilityProperty: true })) &&
    element.closest('[aria-hidden=true]') === null;
  const textOf = (element: Element) =>
    oneLine(element instanceof HTMLElement ? element.innerText : (element.textContent ?? ''));

  let found: Element[] = [document.documentElement];
  for (const step of steps) {
    if ('role' in step) {
      const { role, name } = step;
      const inside = new Set(found.flatMap((outer) => [...outer.querySelectorAll('*')]));
      found = [...inside].filter(
        (element) =>
          roleOf(element) === role &&
          isSeen(element) &&
          (name === undefined || matches(oneLine(nameOf(element)), name)),
      );
    } else if ('isActive' in step) {
      // It is active also where its window has not the focus.
      found = [document.activeElement ?? document.body];
    } else if ('css' in step) {
      found = found.flatMap((outer) => [...outer.querySelectorAll(step.css)]);
    } else if ('at' in step) {
      found = [found.at(step.at)].filter((element) => element !== undefined);
    } else if ('text' in step) {
      found = found.filter((element) => matches(textOf(element), step.text));
    } else {
      const isOne = (element: Element) => roleOf(element) === step.holds;
      found = found.filter((element) => [...element.querySelectorAll('*')].some(isOne));
    }
  }
  return found;
}
