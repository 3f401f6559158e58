import { parseSync } from 'vite';

/** A test as its source tells of it. */
export interface WalkingTest {
  title: string;
  /** Names that it gives to `walks`. */
  journeys: string[];
}

/** What a parser makes of a source: nodes with a type, and whatever belongs to them. */
interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

/** The tests in a source, with the journeys that each says to walk. */
export function findTests(path: string, source: string): WalkingTest[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  return nodesIn(program)
    .filter((node) => isTest(node, textOf))
    .map((node) => {
      const [title, ...rest] = partsOf(node['arguments']);
      const body = rest.at(-1);
      const walked = body === undefined ? [] : nodesIn(body).filter(isWalk);
      return {
        title: title === undefined ? '' : textOf(title),
        journeys: walked.flatMap((call) => partsOf(call['arguments'])).map(valueOf),
      };
    });
}

/** `test(…)`, a test of another fixture, or one of a table; not `test.describe` and the like. */
function isTest(node: Node, textOf: (node: Node) => string): boolean {
  const [callee] = partsOf([node['callee']]);
  const [called] = partsOf([callee?.['callee']]);
  return (
    node.type === 'CallExpression' &&
    ((callee?.type === 'Identifier' && /test$/i.test(textOf(callee))) ||
      (called !== undefined && /^test\.each$/.test(textOf(called))))
  );
}

function isWalk(node: Node): boolean {
  const [callee] = partsOf([node['callee']]);
  return node.type === 'CallExpression' && callee?.['name'] === 'walks';
}

function valueOf(literal: Node): string {
  return typeof literal['value'] === 'string' ? literal['value'] : `(${literal.type})`;
}

function partsOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** A node and all that it is made of. */
function nodesIn(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(nodesIn);
  return isNode(value) ? [value, ...inside] : inside;
}
