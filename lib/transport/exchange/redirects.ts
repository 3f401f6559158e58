/** Whether a redirect may be followed with all that was sent: within the origin, and with the method kept. */
export function mayFollow(status: number, method: string, from: string, to: string): boolean {
  const keepsMethod = status === 307 || status === 308 || (method === 'GET' && status < 304);
  return keepsMethod && URL.canParse(to) && new URL(to).origin === new URL(from).origin;
}
