import type { HttpDoor } from '../transport/exchange/http-door.ts';
import { httpForm, type SocketDoor } from '../transport/websocket/socket-door.ts';
import type { Profile } from './profile.ts';

type CookieProfile = Pick<Profile, 'url' | 'cookies'> | undefined;

/** The door of a profile: where it wants the browser's cookies, they go to the origin of its endpoint, and nowhere else. */
export function cookieDoor(door: HttpDoor, profile: CookieProfile): HttpDoor {
  if (profile?.cookies !== true) return door;
  const origin = originOf(profile.url);
  return {
    ...door,
    send: (call, observer) =>
      door.send(originOf(call.url) === origin ? { ...call, cookies: true } : call, observer),
  };
}

/** The same for WebSockets, which take cookies along unless they are told not to. */
export function cookieSocketDoor(door: SocketDoor, profile: CookieProfile): SocketDoor {
  if (profile?.cookies !== true) return door;
  return { open: (call, observer) => door.open({ ...call, cookies: true }, observer) };
}

function originOf(url: string): string {
  return new URL(httpForm(url)).origin;
}
