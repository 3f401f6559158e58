import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * A component whose code is loaded when it is first shown: what many users never open should not cost all of
 * them a slower start. Nothing stands in its place meanwhile, which is a few milliseconds from the disk.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => VNode | null {
  let loaded: ComponentType<Props> | undefined;
  return function Deferred(props) {
    const [Component, setComponent] = useState(() => loaded);
    useEffect(() => {
      if (Component !== undefined) return undefined;
      let isShown = true;
      void load().then((component) => {
        loaded = component;
        if (isShown) setComponent(() => component);
      });
      return () => {
        isShown = false;
      };
    }, [Component]);
    return Component === undefined ? null : <Component {...props} />;
  };
}
