// What addons.mozilla.org would say of the built extension: no error, and no warning but those named here.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Warnings that cannot be avoided, each with its reason. */
const ALLOWED: Record<string, string> = {
  UNSAFE_VAR_ASSIGNMENT:
    'Preact holds code for dangerouslySetInnerHTML, which Wirescope never uses.',
};

interface Finding {
  code: string;
  message: string;
  file?: string;
  line?: number;
}

const program = join(import.meta.dirname, '../../node_modules/.bin/web-ext');
const { stdout } = await promisify(execFile)(
  program,
  ['lint', '--source-dir', '.output/firefox-mv3', '--output', 'json', '--no-config-discovery'],
  { maxBuffer: 64 * 1024 * 1024 },
).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
const report: { errors: Finding[]; notices: Finding[]; warnings: Finding[] } = JSON.parse(stdout);
const findings = [...report.errors, ...report.notices, ...report.warnings];
const unexpected = findings.filter(({ code }) => ALLOWED[code] === undefined);
for (const { code, message, file, line } of unexpected) {
  console.error(`${code} at ${file}:${line}: ${message}`);
}
console.log(`${findings.length} findings, ${unexpected.length} of them not allowed`);
process.exitCode = unexpected.length === 0 ? 0 : 1;
