import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Act, Chapter, Scene } from './chapter.ts';
import { Hand } from './hand.ts';
import type { Stage } from './stage.ts';
import type { OpenView, Size, Theme, View } from './view.ts';

/** One picture of a scene. */
export interface Shot {
  size: Size;
  theme: Theme;
  path: string;
}

interface Camera {
  open: OpenView;
  /** Folder of the built extension. */
  extension: string;
  stage: Stage;
  /** The pictures to take of a scene. */
  shotsOf(scene: Scene): Shot[];
}

/** Room for everything that has to be clicked. */
const WORKING = { width: 1440, height: 900 };

/** Plays a chapter and takes its pictures; resolves with what could not be shown, in words. */
export async function takeChapter(chapter: Chapter, camera: Camera): Promise<string[]> {
  const { open, extension, stage, shotsOf } = camera;
  const last = chapter.scenes.findLastIndex((scene) => shotsOf(scene).length > 0);
  if (last < 0) return [];
  const view = await open(extension);
  const act: Act = { hand: new Hand(view), stage, goTo: view.goTo };
  const failures: string[] = [];
  try {
    await view.resize(WORKING);
    await view.setTheme('light');
    await view.goTo(chapter.page);
    for (const scene of chapter.scenes.slice(0, last + 1)) {
      try {
        await view.resize(WORKING);
        await scene.prepare?.(act);
        await takeScene(scene, shotsOf(scene), act, view);
      } catch (error) {
        failures.push(`${chapter.name}, ${scene.name}: ${String(error)}`);
        const [shot] = shotsOf(scene);
        if (shot !== undefined) await writePicture(shot.path.replace('.png', '-failed.png'), view);
      }
    }
  } finally {
    await view.close();
  }
  return failures;
}

async function takeScene(scene: Scene, shots: Shot[], act: Act, view: View): Promise<void> {
  const sizes = Map.groupBy(shots, ({ size }) => size);
  for (const [size, ofSize] of sizes) {
    await view.resize(size);
    await scene.show?.(act);
    for (const { theme, path } of ofSize) {
      await view.setTheme(theme);
      await act.hand.rest();
      await writePicture(path, view);
    }
    await scene.leave?.(act);
  }
}

async function writePicture(path: string, view: View): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await view.picture());
}
