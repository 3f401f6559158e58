import type { AppModel } from '../lib/state/app-model.ts';
import type { Cover } from '../lib/state/covers.ts';
import { deferred } from './ui/Deferred.tsx';

const SCREENS = {
  report: deferred(async () => (await import('./report/ReportScreen.tsx')).ReportScreen),
  storage: deferred(async () => (await import('./storage/StorageScreen.tsx')).StorageScreen),
  diagram: deferred(async () => (await import('./diagram/DiagramScreen.tsx')).DiagramScreen),
  credentials: deferred(async () => (await import('./auth/CredentialScreen.tsx')).CredentialScreen),
  settings: deferred(async () => (await import('./settings/SettingsScreen.tsx')).SettingsScreen),
  server: deferred(async () => (await import('./server/ServerScreen.tsx')).ServerScreen),
};

interface CoverScreenProps {
  cover: Cover;
  model: AppModel;
}

/** A screen that lies over the traffic. */
export function CoverScreen({ cover, model }: CoverScreenProps) {
  const Screen = SCREENS[cover];
  return <Screen key={cover} model={model} />;
}
