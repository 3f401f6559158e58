/** Whether a redirect may be followed with all that was sent: within the origin, and with the method kept. */
export function mayFollow(status: number, from: string, to: string): boolean {
  return (
    (status === 307 || status === 308) &&
    URL.canParse(to) &&
    new URL(to).origin === new URL(from).origin
  );
}
