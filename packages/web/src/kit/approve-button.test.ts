import type { KeyboardEvent } from 'react'
import { describe, expect, test } from 'vitest'
import { ApproveButton } from './approve-button.tsx'
import { Button, type ButtonProps } from './button.tsx'

/** Whether the browser still presses the button for this key. */
function presses(draw: (props: ButtonProps) => { props: ButtonProps }, key: string, repeat = false): boolean {
  let prevented = false
  const event = { key, repeat, preventDefault: () => (prevented = true) }
  draw({}).props.onKeyDown?.(event as unknown as KeyboardEvent<HTMLButtonElement>)
  return !prevented
}

describe('a button', () => {
  test('is pressed by Enter and by Space', () => {
    expect(presses(Button, 'Enter')).toBe(true)
    expect(presses(Button, ' ')).toBe(true)
  })

  test('is not pressed again by a key that is held', () => {
    expect(presses(Button, 'Enter', true)).toBe(false)
    expect(presses(Button, ' ', true)).toBe(false)
    expect(presses(Button, 'Tab', true)).toBe(true)
  })
})

describe('a button that approves', () => {
  test('is pressed by Space and never by Enter', () => {
    expect(presses(ApproveButton, ' ')).toBe(true)
    expect(presses(ApproveButton, 'Enter')).toBe(false)
    expect(presses(ApproveButton, 'Enter', true)).toBe(false)
  })

  test('tells its screen about the key all the same', () => {
    const heard: string[] = []
    const drawn = ApproveButton({ onKeyDown: ({ key }) => void heard.push(key) })
    drawn.props.onKeyDown({ key: 'Enter', preventDefault: () => undefined })
    expect(heard).toEqual(['Enter'])
  })
})
