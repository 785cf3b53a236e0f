/** Owns where packages of Python are kept in a folder of the workspace, and how pip takes one out of there. */

export const pipFolder = 'python_packages'

/**
 * Pip itself uninstalls only what it would import, and knows no folder for it. Its own code is loaded before the folder
 * is on the search path, so that no package of the workspace stands in for it.
 */
export const pipUninstall = [
  'import os, sys',
  "os.environ.update(PIP_BREAK_SYSTEM_PACKAGES='1', PIP_CONFIG_FILE='/dev/null', PIP_ROOT_USER_ACTION='ignore')",
  'from pip._internal.cli.main import main',
  `sys.path.insert(0, os.path.join(os.getcwd(), '${pipFolder}'))`,
  'sys.exit(main(sys.argv[1:]))',
].join('; ')
