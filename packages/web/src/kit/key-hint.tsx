/** Shows a key. Hidden where there is no keyboard to press it on, and from readers, who have aria-keyshortcuts. */
import { isPlain, keysForPeople } from '../environment/keymap.ts'
import { isMac } from '../environment/keys.tsx'
import { usePreferences } from '../environment/services.tsx'
import { classes } from './classes.ts'

export function KeyHint({ keys, inButton = false }: { keys: string; inButton?: boolean }) {
  const { letters } = usePreferences()
  if (!letters && isPlain(keys)) return null
  return (
    <span aria-hidden className="inline-flex gap-1 whitespace-nowrap pointer-coarse:hidden">
      {keys.split(' ').map((stroke, index) => (
        <kbd
          key={`${index} ${stroke}`}
          className={classes(
            'min-w-5 rounded-[4px] border border-b-2 px-1 text-center text-[11px] leading-4',
            inButton
              ? 'border-current/35 bg-transparent text-current'
              : 'border-line-strong bg-sheet text-ink-2',
          )}
        >
          {keysForPeople(stroke, isMac())}
        </kbd>
      ))}
    </span>
  )
}
