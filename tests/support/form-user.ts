/** How many pages a login may have. */
const PAGES = 12;

/**
 * A user without a browser: goes from page to page, fills in whatever form there is, and resolves with the
 * redirect that leaves the origin.
 */
export async function logInByForms(url: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);
  let next: { url: string; form?: URLSearchParams } = { url };
  for (let page = 0; page < PAGES; page += 1) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form === undefined ? {} : { method: 'POST', body: next.form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      const target = new URL(location, next.url);
      if (target.origin !== origin) return target.href;
      next = { url: target.href };
      continue;
    }
    next = formIn(text, next.url);
  }
  throw new Error(`${url} leads to no redirect in ${PAGES} pages.`);
}

function formIn(html: string, url: string): { url: string; form: URLSearchParams } {
  const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`${url} has no form: ${html.slice(0, 200)}`);
  const form = new URLSearchParams();
  for (const [field] of html.matchAll(/<input[^>]*>/g)) {
    const [, name] = / name="([^"]+)"/.exec(field) ?? [];
    const [, value = 'somebody'] = / value="([^"]*)"/.exec(field) ?? [];
    if (name !== undefined) form.set(name, value);
  }
  return { url: new URL(action, url).href, form };
}
