import { signal } from '@preact/signals';

/** How the user wants to see messages: stays from row to row. */
export const messageView = signal<'tree' | 'raw'>('tree');
