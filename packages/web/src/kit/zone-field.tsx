/** A time zone, with those that the browser knows to choose from. */
import { type ComponentProps, useId } from 'react'
import { TextField } from './field.tsx'

export function ZoneField(props: ComponentProps<typeof TextField>) {
  const list = useId()
  return (
    <>
      <TextField {...props} list={list} />
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
