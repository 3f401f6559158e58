interface Har {
  log: {
    creator: { name: string };
    entries: {
      request: { postData?: { text: string } };
      response: { content: { text?: string } };
    }[];
  };
}

/** Checks a capture that was exported: the call is in it, with its result. Throws, saying what is missing. */
export function checkExported(text: string, sent: string, answered: string): void {
  const { creator, entries } = (JSON.parse(text) as Har).log;
  if (creator.name !== 'Wirescope') throw new Error(`The file is made by ${creator.name}.`);
  const calls = entries.filter(({ request }) => {
    const body = request.postData?.text ?? '';
    return body.includes('"tools/call"') && body.includes(sent);
  });
  if (calls.length !== 1) throw new Error(`The file has ${calls.length} calls with “${sent}”.`);
  if (calls[0]?.response.content.text?.includes(answered) !== true) {
    throw new Error(`The call in the file is not answered by “${answered}”.`);
  }
}
