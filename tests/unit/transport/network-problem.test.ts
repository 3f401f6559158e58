import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../lib/errors.ts';
import { networkProblem } from '../../../lib/transport/network-problem.ts';

const URL_ASKED = 'https://mcp.example.com:8443/mcp?key=hunter22';

const names: Record<string, string[]> = {
  'network-refused': [
    'net::ERR_CONNECTION_REFUSED',
    'NS_ERROR_CONNECTION_REFUSED',
    'ECONNREFUSED',
    'net::ERR_ADDRESS_UNREACHABLE',
    'EHOSTUNREACH',
  ],
  'network-name-not-found': [
    'net::ERR_NAME_NOT_RESOLVED',
    'NS_ERROR_UNKNOWN_HOST',
    'ENOTFOUND',
    'EAI_AGAIN',
    'net::ERR_NAME_RESOLUTION_FAILED',
  ],
  'network-tls': [
    'net::ERR_CERT_AUTHORITY_INVALID',
    'net::ERR_CERT_DATE_INVALID',
    'net::ERR_SSL_PROTOCOL_ERROR',
    'SEC_ERROR_UNKNOWN_ISSUER',
    'SSL_ERROR_RX_RECORD_TOO_LONG',
    'MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'EPROTO',
  ],
  'network-offline': [
    'net::ERR_INTERNET_DISCONNECTED',
    'net::ERR_NETWORK_CHANGED',
    'NS_ERROR_OFFLINE',
    'ENETUNREACH',
  ],
  'network-timeout': [
    'net::ERR_CONNECTION_TIMED_OUT',
    'net::ERR_TIMED_OUT',
    'NS_ERROR_NET_TIMEOUT',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ],
  'network-blocked': [
    'net::ERR_UNSAFE_PORT',
    'net::ERR_BLOCKED_BY_CLIENT',
    'net::ERR_BLOCKED_BY_ADMINISTRATOR',
    'net::ERR_BLOCKED_BY_PRIVATE_NETWORK_ACCESS_CHECKS',
    'NS_ERROR_PORT_ACCESS_NOT_ALLOWED',
  ],
  'network-reset': [
    'net::ERR_CONNECTION_RESET',
    'net::ERR_EMPTY_RESPONSE',
    'net::ERR_CONNECTION_CLOSED',
    'NS_ERROR_NET_RESET',
    'NS_ERROR_NET_INTERRUPT',
    'ECONNRESET',
    'UND_ERR_SOCKET',
    'EPIPE',
  ],
  'network-failed': [
    'net::ERR_INVALID_HTTP_RESPONSE',
    'net::ERR_PROXY_CONNECTION_FAILED',
    'NS_ERROR_PROXY_CONNECTION_REFUSED',
    'NS_ERROR_UNKNOWN_PROXY_HOST',
    'net::ERR_TUNNEL_CONNECTION_FAILED',
    'HPE_INVALID_CONSTANT',
    'NS_ERROR_SOMETHING_NEW',
    'net::ERR_FAILED',
  ],
};

describe('a request without an answer', () => {
  const cases = Object.entries(names).flatMap(([code, list]) =>
    list.map((name) => [name, code as ErrorCode] as const),
  );

  test.each(cases)('%s is %s', (name, code) => {
    const problem = networkProblem(name, URL_ASKED);
    expect(problem.code).toBe(code);
    expect(problem.message).toContain('mcp.example.com:8443');
    expect(problem.advice).toBeTruthy();
    expect(problem.detail).toBe(name);
    expect(JSON.stringify(problem)).not.toContain('hunter22');
    expect(problem.message).not.toMatch(/failed to fetch/i);
  });

  test('of which the platform tells nothing says so', () => {
    const problem = networkProblem(undefined, URL_ASKED);
    expect(problem).toMatchObject({
      code: 'network-blocked',
      message: expect.stringContaining('did not say why'),
    });
    expect(problem).not.toHaveProperty('detail');
  });

  test('says of a proxy that it is the proxy', () => {
    for (const name of ['net::ERR_PROXY_CONNECTION_FAILED', 'NS_ERROR_PROXY_CONNECTION_REFUSED']) {
      expect(networkProblem(name, URL_ASKED).message).toMatch(/proxy/i);
    }
  });

  test('may have been received when the connection was reset', () => {
    expect(networkProblem('ECONNRESET', URL_ASKED).advice).toMatch(/may have received/);
  });

  test('takes a URL that is none', () => {
    expect(networkProblem('ECONNREFUSED', 'nonsense').message).toContain('nonsense');
  });
});
