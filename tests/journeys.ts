/**
 * What users do with Wirescope, in their words: one list for both browsers. A test says what it walks in its first
 * line, `walks('Filter the table')`; a name that is not in this list does not compile.
 *
 * `tests/journeys.test.ts` reads the tests and holds them to it: each test of the Chromium suite (`tests/e2e`) walks a
 * journey, each journey is walked by a test of that suite, and by one of the Firefox suite (`tests/firefox`) unless
 * its line here gives the reason why it cannot be.
 */
const JOURNEYS = [
  // The first minute, and connecting.
  ['Install the extension'],
  ['Start with an example'],
  ['Connect from the popup'],
  ['Go from the popup to the result of a tool'],
  ['Allow or deny a host'],
  ['Take a host back while connected'],
  ['See how a server was found'],
  ['Force one way to connect'],
  ['Stop connecting'],
  ['Keep the newest row in sight'],
  ['Connect over HTTP+SSE'],
  ['Be protected from an endpoint on another origin'],
  ['Connect over WebSocket'],
  ['Learn why a WebSocket was refused'],
  ['Read frames of every kind'],
  ['Send a binary frame'],
  ['Receive a frame of many megabytes'],
  ['Lose a WebSocket with the background'],
  [
    'Share one document among sockets',
    'Firefox opens sockets in its background, with headers from a rule of the session; there is no document for them.',
  ],

  // What goes wrong.
  ['Learn why a connection failed'],
  ['Learn why a call failed'],
  ['Get odd answers that are valid'],
  ['Get an answer over the limit'],
  ['Lose a session and go on with a new one'],
  ['Wait for a server that is silent'],
  ['Go offline and come back'],
  ['See how the ways of a connection stand'],
  ['See why a call may hang'],
  ['See issues of a server'],

  // The table.
  ['Filter the table'],
  ['Correct a filter'],
  ['Choose types of rows'],
  ['Pause and clear the view'],
  ['Find the filter again after a reload'],
  ['Sort the table'],
  ['Choose and resize columns'],
  ['Work in a narrow panel'],
  ['Fold and unfold a group'],
  ['See what belongs to a row'],
  ['Read the waterfall'],
  ['Choose a stretch of time'],

  // The details.
  ['Read the details of a call'],
  ['Preview pictures and texts'],
  ['Copy values of a message'],
  ['Read a body of many megabytes'],
  ['Follow a stream'],
  ['Read the timing of a call'],
  ['Read challenges and contradicting headers'],

  // Keys, menus and copies.
  ['Reach rows and details by keyboard'],
  ['Use the keys of the panel'],
  ['Close what is open one at a time'],
  ['Use the palette'],
  ['Look up the keys'],
  ['Copy a call'],
  ['Copy a call with its secrets'],
  ['Filter and hide from the menu of a row'],
  ['Find the origin of a replay'],
  ['Cancel, sort and clear from the menu of a row'],
  ['Work the menu by keyboard'],
  ['Use the menu of the details'],

  // Search and diagram.
  ['Search all traffic'],
  ['Search while traffic comes'],
  ['Search by an expression that never ends'],
  ['Draw a diagram'],
  ['Follow a diagram as traffic comes'],
  ['Save and copy a diagram'],

  // Captures and files.
  ['Split a capture'],
  ['Name, pin, copy and delete captures'],
  ['Compare captures'],
  ['Search all captures'],
  ['Export a capture and import it again'],
  ['Import a file of a browser'],
  ['Import what is no HAR file'],
  ['Review what an export hides'],
  ['Export a part of a capture'],
  ['Export a page to read'],
  ['Load a file into the Network panel of the browser'],
  ['Record on a full disk'],
  ['Read a damaged capture'],
  ['Lower the limit of storage'],
  ['Close and open the panel'],
  ['Keep every row when the background stops'],
  ['Keep secrets off the disk'],

  // Settings and other clients.
  ['Set the options of a connection'],
  ['Change settings'],
  ['Send the cookies of the browser'],

  // What browsers do around it.
  ['Work in two windows'],
  ['Update the extension while connected'],
  ['Inspect a page of the browser'],
  ['Take a server of the page that is inspected'],
  ['Use a private window'],
  ['Take over servers of another client'],

  // Working with a server.
  ['Compose a request'],
  ['Ping, log and follow a legacy server'],
  ['Replay a call'],
  ['Replay to the byte'],
  ['Edit and replay'],
  ['Replay everything and compare clients'],
  ['Replay selected rows'],
  ['Look through a server'],
  ['Read results by kind'],
  ['Follow and cancel a call of a tool'],
  ['Follow and cancel a task'],
  ['Fill in templates and prompts'],
  ['See what has changed at a server'],
  ['Work with the pages of a modern server'],
  ['Work with a server in a narrow panel'],
  ['Fill in a form of any schema'],
  ['See what is wrong with a list or a result'],
  ['Answer a call of several rounds'],
  ['Decline a round'],
  ['Answer for a model, with roots, and by a page'],
  ['Change how a connection answers'],
  ['Subscribe to a modern server'],
  ['Cancel a modern call'],
  ['Send again with a capability that was missing'],
  ['See which tools cannot be mirrored'],

  // Authorization.
  ['Allow or deny an authorization server'],
  ['Log in'],
  ['Go on with a token that has expired'],
  ['Grant a scope that is missing'],
  ['Close or deny a login'],
  ['Log in while the authorization server goes down'],
  ['Go on with a login that was interrupted'],
  ['Log in without being registered'],
  ['Read a login step by step'],
  ['Manage credentials'],
  ['Choose a way to a token'],

  // Reports and faults on purpose.
  ['Report on the transports of a server'],
  ['Follow a report to its exchanges'],
  ['Stop a report'],
  ['Break a stream on purpose'],
  ['See what a server replays wrongly'],
  ['Arm and disarm a fault'],

  // Load, and everybody.
  ['Be flooded by a server'],
  ['Lose the background again and again'],
  ['Hold a connection that is idle'],
  ['Use the panel with assistive technology'],
  ['Use popup and grant page with assistive technology'],
  ['Use menus and screens with assistive technology'],
] as const satisfies readonly (readonly [name: string, notInFirefox?: string])[];

export type Journey = (typeof JOURNEYS)[number][0];

export interface JourneyEntry {
  name: Journey;
  /** Why there is no way to it in Firefox. */
  notInFirefox?: string | undefined;
}

export const journeys: readonly JourneyEntry[] = JOURNEYS.map(([name, notInFirefox]) => ({
  name,
  notInFirefox,
}));

/** Says which journeys the test around it walks. It does nothing: it is there to be read. */
export function walks(..._journeys: readonly [Journey, ...Journey[]]): void {}
