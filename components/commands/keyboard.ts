/** Whether the keyboard is one of a Mac. */
export const IS_MAC = navigator.platform.startsWith('Mac');
