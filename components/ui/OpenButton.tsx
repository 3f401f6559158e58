import type { Signal } from '@preact/signals';
import { Icon } from './Icon.tsx';

interface OpenButtonProps {
  id: string;
  /** What opens; the label gives way to the icon where there is no room. */
  label: string;
  title: string;
  icon: Parameters<typeof Icon>[0]['name'];
  isOpen: Signal<boolean>;
}

/** Opens something, and closes it again. */
export function OpenButton({ id, label, title, icon, isOpen }: OpenButtonProps) {
  return (
    <button
      type="button"
      id={id}
      title={title}
      aria-expanded={isOpen.value}
      onClick={() => (isOpen.value = !isOpen.value)}
    >
      <Icon name={icon} />
      <span class="bar-label">{label}</span>
    </button>
  );
}
