/** Owns the button that says yes. Enter never does: it is pressed by reflex. Space, a click and the key of the screen do. */
import { Button, type ButtonProps } from './button.tsx'

export function ApproveButton({ onKeyDown, ...rest }: Omit<ButtonProps, 'variant'>) {
  return (
    <Button
      {...rest}
      variant="go"
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
        onKeyDown?.(event)
      }}
    />
  )
}
