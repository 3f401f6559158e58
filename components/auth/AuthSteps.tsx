import type { AppModel } from '../../lib/state/app-model.ts';
import type { AuthStep } from '../../lib/state/auth/auth-facts.ts';
import { formatDuration } from '../../lib/text.ts';
import { openExchange } from './open-exchange.ts';

/** Requests that hang together by who sent them, where nobody was asked for a token. */
export function AuthSteps({ steps, model }: { steps: readonly AuthStep[]; model: AppModel }) {
  return (
    <section class="detail-section" aria-labelledby="auth-steps">
      <div class="detail-head">
        <h2 id="auth-steps">What was sent</h2>
      </div>
      <table class="auth-steps">
        <thead>
          <tr>
            {['#', 'Request', 'Status', 'Credential', 'Time'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.httpId} aria-current={step.isOwn ? 'true' : undefined}>
              <td class="dim">{index + 1}</td>
              <td>
                <StepName step={step} model={model} />
              </td>
              <td>{step.status}</td>
              <td>{step.credential}</td>
              <td class="auth-time">
                {step.durationMs === undefined ? '' : formatDuration(step.durationMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StepName({ step, model }: { step: AuthStep; model: AppModel }) {
  if (step.isOwn) return <strong>{step.what}</strong>;
  return (
    <button type="button" class="link" onClick={() => openExchange(model, step.httpId)}>
      {step.what}
    </button>
  );
}
