import type { Refusal, Refusals } from '../../lib/state/auth/auth-refusals.ts';
import { VisibleText } from '../json/VisibleText.tsx';

/** Both challenges of a request that was refused, and refused again with what it had been given. */
export function RefusalPair({ refusals }: { refusals: Refusals }) {
  const { first, second, names, isStale } = refusals;
  return (
    <>
      {isStale && (
        <p class="error">The repeat carried the very token that had been refused: it is stale.</p>
      )}
      <table class="auth-pair">
        <caption class="visually-hidden">Both challenges</caption>
        <thead>
          <tr>
            <th scope="col">Challenge</th>
            <th scope="col">First answer</th>
            <th scope="col">After the repeat</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">status</th>
            <td>{first.status}</td>
            <td>{second.status}</td>
          </tr>
          <tr>
            <th scope="row">token</th>
            <td>{tokenOf(first)}</td>
            <td>{tokenOf(second)}</td>
          </tr>
          {names.map((name) => {
            const values = [first.said.get(name), second.said.get(name)];
            const isSame = values[0] === values[1];
            return (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {!isSame && <span class="warning"> differs</span>}
                </th>
                {values.map((value, index) => (
                  <td key={index} class={value === undefined ? 'dim' : undefined}>
                    {value === undefined ? 'absent' : <VisibleText text={value} />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function tokenOf({ token }: Refusal): string {
  return token === undefined ? 'none' : `‹${token}›`;
}
