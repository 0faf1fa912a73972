/** Makes the address of this page that of the sign-up with an e-mail address. Specification, section 2. */
export function leadToSignUp(email: string) {
  history.replaceState(null, '', `/?signup&${new URLSearchParams({ tab: 'email', email })}`)
}
