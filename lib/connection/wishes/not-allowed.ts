/** Why nothing can be sent to a host. */
export function notAllowed(host: string) {
  return {
    code: 'permission-denied',
    message: `Wirescope may not reach ${host}, so nothing was sent.`,
    advice: 'Connect to the server once and choose Allow, then try again.',
  } as const;
}
