import { useEffect } from 'preact/hooks';
import type { AppModel } from '../../lib/state/app-model.ts';
import { toServerTitle } from '../../lib/state/connect/server-title.ts';
import { tellApart } from '../../lib/state/connect/tell-apart.ts';
import { tasksModelOf } from '../../lib/state/server/tasks-model.ts';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { TaskLine } from './TaskLine.tsx';
import './Tasks.css';

/** The tasks of all connections: how they stand, what they ask, and how to end them. */
export function TasksTab({ model }: { model: AppModel }) {
  const tasks = tasksModelOf(model);
  const isFollowing = tasks.isFollowing.value;
  useEffect(() => {
    if (!isFollowing) return undefined;
    let stop = document.hidden ? undefined : tasks.follow();
    // Nobody looks at a hidden panel, and a server should not be asked for nobody.
    const onVisibility = () => {
      stop?.();
      stop = document.hidden ? undefined : tasks.follow();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stop?.();
    };
  }, [isFollowing, tasks]);
  const list = tasks.tasks.value;
  const listers = tasks.listers.value;
  const servers = tellApart(listers.map(toServerTitle));
  return (
    <div class="tasks">
      <div class="tasks-bar">
        <label title="Asks about open tasks as often as their server wants">
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => (tasks.isFollowing.value = event.currentTarget.checked)}
          />
          Follow open tasks
        </label>
        {listers.map((connection, index) => (
          <button
            key={connection.connectionId}
            type="button"
            class="bordered"
            onClick={() => tasks.list(connection.connectionId)}
          >
            List the tasks of {servers[index]}
          </button>
        ))}
      </div>
      {tasks.problem.value && <ProblemNotice problem={tasks.problem.value} isAlert />}
      {list.length === 0 ? (
        <p class="dim">
          No task yet. A call becomes one if the server makes it so: tick “Allow a task” beside
          tools/call.
        </p>
      ) : (
        <ul class="tasks-list" aria-label="Tasks">
          {list.map((task) => (
            <li key={`${task.connectionId} ${task.taskId}`}>
              <TaskLine task={task} tasks={tasks} model={model} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
