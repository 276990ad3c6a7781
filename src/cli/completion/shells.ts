/** The shells that `kronika completion` knows. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** How to switch completion on, for the help of the command. */
export const completionHelp = `
Switch it on for each new shell:
  bash  echo 'eval "$(kronika completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(kronika completion zsh)"' >> ~/.zshrc     (behind compinit)
  fish  echo 'kronika completion fish | source' >> ~/.config/fish/config.fish`
