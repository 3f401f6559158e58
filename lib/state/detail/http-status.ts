import type { HttpRecord } from '../../capture/correlate/items.ts';

/** HTTP status of an exchange; that of the redirect where the browser hid the response behind it. */
export function httpStatus(record: HttpRecord | undefined): number | undefined {
  const status = record?.response?.status;
  if (status !== undefined && status > 0) return status;
  return record?.redirect?.status;
}
