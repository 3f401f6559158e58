/** What an `EventSource` would have dispatched, and what it remembers, after a whole stream. */
export interface StandardResult {
  events: { type: string; data: string; lastEventId: string }[];
  /** Last event ID string of the event source when the stream is over. */
  lastEventId: string;
  /** Every reconnection time set, in order. */
  retries: number[];
}

/**
 * WHATWG HTML, 9.2.5 and 9.2.6, written out to the letter over the whole input at once: slow, plain, and
 * the judge of the reader.
 */
export function readByStandard(body: Uint8Array): StandardResult {
  // "Streams must be decoded using the UTF-8 decode algorithm", which strips one leading mark.
  const stream = new TextDecoder('utf-8').decode(body);
  const result: StandardResult = { events: [], lastEventId: '', retries: [] };

  // "...with empty data, event type and last event ID buffers associated with it."
  let data = '';
  let eventType = '';
  let lastEventIdBuffer = '';

  for (const line of completeLines(stream)) {
    if (line === '') {
      dispatch();
    } else if (line.startsWith(':')) {
      // "Ignore the line."
    } else if (line.includes(':')) {
      const colon = line.indexOf(':');
      const field = line.slice(0, colon);
      let value = line.slice(colon + 1);
      if (value.startsWith(' ')) value = value.slice(1);
      processField(field, value);
    } else {
      processField(line, '');
    }
  }
  // "Once the end of the file is reached, any pending data must be discarded."
  return result;

  function processField(field: string, value: string): void {
    if (field === 'event') {
      eventType = value;
    } else if (field === 'data') {
      data += value;
      data += '\n';
    } else if (field === 'id') {
      if (!value.includes('\0')) lastEventIdBuffer = value;
    } else if (field === 'retry') {
      // An empty value has no digits to interpret, so it is ignored too.
      if (/^[0-9]+$/.test(value)) result.retries.push(Number(value));
    }
  }

  function dispatch(): void {
    result.lastEventId = lastEventIdBuffer;
    if (data === '') {
      eventType = '';
      return;
    }
    if (data.endsWith('\n')) data = data.slice(0, -1);
    const type = eventType === '' ? 'message' : eventType;
    result.events.push({ type, data, lastEventId: result.lastEventId });
    data = '';
    eventType = '';
  }
}

/** "Lines must be separated by either CRLF, LF, or CR"; what follows the last line end is no line. */
function completeLines(stream: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (let index = 0; index < stream.length; index += 1) {
    const character = stream.charAt(index);
    if (character !== '\n' && character !== '\r') {
      line += character;
      continue;
    }
    if (character === '\r' && stream.charAt(index + 1) === '\n') index += 1;
    lines.push(line);
    line = '';
  }
  return lines;
}
