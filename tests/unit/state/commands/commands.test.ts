import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchFuzzy } from '../../../../lib/state/commands/commands-match.ts';
import { findChoices } from '../../../../lib/state/commands/commands-palette.ts';
import { findCommand } from '../../../../lib/state/commands/commands.ts';
import { everywhere, withControl } from '../../../../lib/state/commands/commands-model.ts';
import type { Command } from '../../../../lib/state/commands/commands-model.ts';
import { withTerm } from '../../../../lib/state/commands/context-menu-filter.ts';
import { buildSheet } from '../../../../lib/state/commands/shortcuts-sheet.ts';
import { ariaKeys, isPressed, nameKeys } from '../../../../lib/state/commands/shortcuts.ts';
import type { Press } from '../../../../lib/state/commands/shortcuts.ts';

function press(key: string, change: Partial<Press> = {}): Press {
  const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key;
  return { key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...change };
}

function command(id: string, change: Partial<Command> = {}): Command {
  return { id, title: id, group: 'Panel', run: () => undefined, ...change };
}

describe('keys', () => {
  test.each([
    ['R', press('r'), true],
    ['R', press('R', { shiftKey: true }), false],
    ['R', press('r', { ctrlKey: true }), false],
    ['Ctrl+L', press('l', { ctrlKey: true }), true],
    ['Ctrl+L', press('l', { metaKey: true }), false],
    ['Ctrl+L', press('L', { ctrlKey: true, shiftKey: true }), false],
    ['Ctrl+Shift+F', press('F', { ctrlKey: true, shiftKey: true }), true],
    ['Shift+F10', press('F10', { shiftKey: true }), true],
    ['Shift+F10', press('F10'), false],
    // Where a sign needs Shift depends on the keyboard.
    ['?', press('?', { shiftKey: true }), true],
    ['/', press('/'), true],
    ['/', press('/', { shiftKey: true }), true],
    ['1', press('1'), true],
    ['1', press('!', { shiftKey: true, code: 'Digit1' }), false],
    // A Cyrillic keyboard.
    ['Ctrl+F', press('а', { ctrlKey: true, code: 'KeyF' }), true],
    // On a French keyboard, A stands where Q is on others: what is typed counts.
    ['Q', press('a', { code: 'KeyQ' }), false],
  ])('%s and a press of %j', (keys, given, expected) => {
    expect(isPressed(keys, given)).toBe(expected);
  });

  test('have the names of the keyboard', () => {
    expect(nameKeys('Ctrl+Shift+F', false)).toBe('Ctrl+Shift+F');
    expect(nameKeys('Cmd+Shift+F', true)).toBe('⇧⌘F');
    expect(nameKeys('ArrowDown', false)).toBe('↓');
    expect(ariaKeys('Cmd+K')).toBe('Meta+K');
  });
});

describe('a press means', () => {
  const here = { isMac: false, isTyping: false };
  const commands = [
    command('never', { keys: everywhere('R'), isPossible: () => false }),
    command('replay', { keys: everywhere('R') }),
    command('find', { keys: withControl('F'), isForFields: true }),
    command('filter', { keys: everywhere('/', 'Ctrl+Shift+F'), isForFields: true }),
    command('copy', { keys: withControl('C') }),
    command('close', { keys: everywhere('Escape', 'Q') }),
  ];
  const meant = (given: Press, where = here) => findCommand(commands, given, where)?.id;

  test('the first command that is possible', () => {
    expect(meant(press('r'))).toBe('replay');
    expect(meant(press('x'))).toBeUndefined();
  });

  test('the custom of the keyboard', () => {
    expect(meant(press('f', { ctrlKey: true }))).toBe('find');
    expect(meant(press('f', { metaKey: true }), { ...here, isMac: true })).toBe('find');
    expect(meant(press('f', { ctrlKey: true }), { ...here, isMac: true })).toBeUndefined();
  });

  test('no command while the user is typing, but for Escape and what is meant for fields', () => {
    const typing = { ...here, isTyping: true };
    for (const key of ['r', '/', 'q']) expect(meant(press(key), typing)).toBeUndefined();
    expect(meant(press('c', { ctrlKey: true }), typing)).toBeUndefined();
    expect(meant(press('Escape'), typing)).toBe('close');
    expect(meant(press('f', { ctrlKey: true }), typing)).toBe('find');
    expect(meant(press('F', { ctrlKey: true, shiftKey: true }), typing)).toBe('filter');
  });
});

describe('the palette', () => {
  const titles = (query: string, recent: string[] = []) =>
    findChoices(
      query,
      ['Transport report', 'Copy as cURL', 'Replay', 'Clear', 'Copy URL', 'Close the report'].map(
        (title) => command(title),
      ),
      recent,
    ).map((entry) => entry.command.title);

  test('offers everything at first, what was used last before the others', () => {
    expect(titles('')).toHaveLength(6);
    expect(titles('', ['Clear', 'Replay']).slice(0, 3)).toEqual([
      'Clear',
      'Replay',
      'Transport report',
    ]);
  });

  test('finds letters in their order, whole words and beginnings first', () => {
    expect(titles('curl')).toEqual(['Copy as cURL', 'Copy URL']);
    expect(titles('rep')[0]).toBe('Replay');
    expect(titles('tr')[0]).toBe('Transport report');
    expect(titles('cac')).toEqual(['Copy as cURL']);
    expect(titles('xyz')).toEqual([]);
  });

  test('among equals, what was used last comes first', () => {
    expect(titles('copy u', ['Copy URL'])[0]).toBe('Copy URL');
  });

  test('a match names the letters that were typed', () => {
    assert(
      property(string({ maxLength: 12 }), string({ maxLength: 4 }), (title, query) => {
        const match = matchFuzzy(query, title);
        if (match === undefined) return;
        const found = match.places.map((at) => title.toLowerCase()[at]).join('');
        const sought = query.trim().toLowerCase();
        expect([sought, sought.replaceAll(/\s+/g, '')]).toContain(found);
        expect(match.places.toSorted((a, b) => a - b)).toEqual(match.places);
      }),
    );
  });
});

test('the sheet has every key of the table of commands, and those of the parts of the panel', () => {
  const sheet = buildSheet(
    [command('Clear', { keys: { mac: ['Cmd+K', 'Ctrl+L'], other: ['Ctrl+L'] } }), command('None')],
    true,
  );
  expect(sheet[0]).toEqual({ title: 'Panel', lines: [{ title: 'Clear', keys: ['⌘K', '⌃L'] }] });
  expect(sheet.map(({ title }) => title)).toContain('In the table');
});

test('a filter gets a term once, and loses its opposite', () => {
  expect(withTerm('', 'tool:echo', '')).toBe('tool:echo');
  expect(withTerm('is:error', 'tool:echo', '-')).toBe('is:error -tool:echo');
  expect(withTerm('tool:echo is:error', 'tool:echo', '')).toBe('is:error tool:echo');
  expect(withTerm('-tool:echo', 'tool:echo', '')).toBe('tool:echo');
  expect(withTerm('tool:echo-2', 'tool:echo', '-')).toBe('tool:echo-2 -tool:echo');
  expect(withTerm('tool:"a b" x', 'tool:"a b"', '-')).toBe('x -tool:"a b"');
});
