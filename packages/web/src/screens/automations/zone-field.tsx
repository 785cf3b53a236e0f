/** A time zone, with those that the browser knows to choose from. */
import { isZone } from '@countersign/contract'
import { type ComponentProps, useId } from 'react'
import { TextField } from '../../kit/index.ts'
import { words } from '../../words/automations.tsx'

export function ZoneField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const list = useId()
  return (
    <>
      <TextField {...props} label={words.form.zone} list={list} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </>
  )
}

export function zoneProblem(zone: string): string | undefined {
  return isZone(zone) ? undefined : words.form.zoneProblem
}
