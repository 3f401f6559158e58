import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** One scenario on one revision's wire. */
export interface Run {
  scenario: string;
  wire: string;
  /** An extension has no revision of its own, so the suite has to be told to run it. */
  isExtension: boolean;
}

/** One thing that a scenario looks at. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description: string;
  errorMessage?: string;
}

/** What came of a run. */
export interface Played {
  /** Of the suite: not 0 where a check has failed or warned, or where the client has failed. */
  exitCode: number | null;
  checks: Check[];
  /** What our client said about its failure, or the suite where it never came to that. */
  output: string;
}

/** The official suite, as child processes. */
export interface Suite {
  /** Every client scenario, on each wire that it has. */
  list(): Promise<Run[]>;
  play(run: Run): Promise<Played>;
  /** Ends whatever still runs. */
  endAll(): void;
}

const root = join(import.meta.dirname, '../..');
const program = join(root, 'node_modules/.bin/conformance');
/** The suite splits this at spaces, so it holds no absolute path. */
const CLIENT = 'node tests/conformance/client.ts';
const TIMEOUT_MS = 30_000;
/** Extensions are run on every wire that has a list of requirements. */
const REQUIRED_WIRES = ['2025-11-25', '2026-07-28'];

/** `folder` takes what the suite writes. */
export function createSuite(folder: string): Suite {
  const running = new Set<ChildProcess>();

  async function run(args: string[]): Promise<{ exitCode: number | null; output: string }> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      // A group of its own: the suite ends only the shell of a client that takes too long.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        // A third of the work is to read the same modules again and again.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      },
    });
    running.add(child);
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    try {
      const exitCode = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('exit', () => endGroup(child));
        child.once('close', resolve);
      });
      return { exitCode, output };
    } finally {
      running.delete(child);
    }
  }

  return {
    async list() {
      const { output } = await run(['list', '--client']);
      const runs = readList(output);
      if (runs.length === 0) throw new Error(`The suite lists no scenarios:\n${output}`);
      return runs;
    },
    async play({ scenario, wire, isExtension }) {
      const results = mkdtempSync(join(folder, 'run-'));
      const { exitCode, output } = await run([
        'client',
        ...['--scenario', scenario, '--spec-version', wire, '--command', CLIENT],
        ...['--timeout', String(TIMEOUT_MS), '--output-dir', results],
        ...(isExtension ? ['--force'] : []),
      ]);
      const files = readdirSync(results, { recursive: true, encoding: 'utf8' });
      const read = (name: string) => {
        const file = files.find((path) => path.endsWith(name));
        return file === undefined ? undefined : readFileSync(join(results, file), 'utf8');
      };
      return {
        exitCode,
        checks: JSON.parse(read('checks.json') ?? '[]') as Check[],
        output: read('stderr.txt') ?? output,
      };
    },
    endAll() {
      for (const child of running) endGroup(child);
    },
  };
}

/** Reads lines such as `  - tools_call [2025-06-18,2025-11-25,2026-07-28]`. */
function readList(output: string): Run[] {
  const lines = output.matchAll(/^ +- (?<scenario>\S+) \[(?<wires>[^\]]+)\]$/gm);
  return [...lines].flatMap(({ groups = {} }) => {
    const { scenario = '', wires = '' } = groups;
    const isExtension = wires === 'extension';
    const names = isExtension ? REQUIRED_WIRES : wires.split(',');
    return names.map((wire) => ({ scenario, wire, isExtension }));
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}
