import { captureShelf } from '../../capture/store/capture-shelf.ts';

/** What this page does with stored captures by itself. */
export const pageShelf = captureShelf();
