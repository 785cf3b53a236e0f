/** Owns which tools leave a file other than they found it. */

/** What each of these did can be taken back, unless it was too large to keep. */
export const undoableFileWriters: readonly string[] = [
  'write_file',
  'edit_file',
  'write_binary_file',
  'write_upload',
  'restore_file',
  'restore_files',
  'copy_file',
  'move_file',
  'delete_file',
  'download_file',
  'create_pdf',
  'resize_image',
  'generate_image',
  'edit_image',
  'image_variation',
  'text_to_speech',
  'split_audio',
]

export const fileWriters: readonly string[] = [...undoableFileWriters, 'browser_screenshot']

/** Brings back what a program changed, contents that may be anybody's: the marks of its paths stay as they are. */
export const workspaceRestorer = 'restore_workspace'

/** Takes over what a program changed over a view. A program covers no marks either. No model can call it. */
export const changesTaker = 'take_over_changes'

/** In bytes. A file larger than this is not carried in an undo, so replacing or deleting it counts as irreversible. */
export const largestUndo = 512 * 1024
