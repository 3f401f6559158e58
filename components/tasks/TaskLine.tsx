import type { AppModel } from '../../lib/state/app-model.ts';
import type { TaskRecord } from '../../lib/state/server/tasks-log.ts';
import type { TasksModel } from '../../lib/state/server/tasks-model.ts';
import { isTaskOver } from '../../lib/protocol/result-type.ts';
import { formatClock, formatDuration } from '../../lib/text.ts';

interface TaskLineProps {
  task: TaskRecord;
  tasks: TasksModel;
  model: AppModel;
}

/** One task. */
export function TaskLine({ task, tasks, model }: TaskLineProps) {
  const { taskId, status, statusMessage, call, result } = task;
  const isLive = tasks.isLive(task);
  const isOver = isTaskOver(task);
  const name = call?.target ?? taskId;
  return (
    <>
      <span class="wire task-name" title={taskId}>
        {name}
      </span>
      <span class={status === 'failed' ? 'error' : isOver ? '' : 'dim'}>
        {status.replaceAll('_', ' ')}
      </span>
      {statusMessage !== undefined && <span class="dim">{statusMessage}</span>}
      <span class="dim">
        {formatClock(task.heardAt).slice(0, 8)}
        {task.pollMs !== undefined && !isOver && `, every ${formatDuration(task.pollMs)}`}
      </span>
      <button type="button" class="link" onClick={() => model.selection.open(task.told)}>
        Show
      </button>
      {result !== undefined && (
        <button type="button" class="link" onClick={() => model.selection.open(result)}>
          Show the result
        </button>
      )}
      {isLive && !isOver && (
        <button type="button" class="link" onClick={() => tasks.ask(task)}>
          Ask now
        </button>
      )}
      {isLive && tasks.hasResultMethod(task) && result === undefined && (
        <button
          type="button"
          class="link"
          title="tasks/result: the server may ask something before it answers"
          onClick={() => tasks.result(task)}
        >
          Get the result
        </button>
      )}
      {isLive && !isOver && (
        <button
          type="button"
          class="link"
          aria-label={`Cancel ${name}`}
          onClick={() => tasks.cancel(task)}
        >
          Cancel
        </button>
      )}
    </>
  );
}
