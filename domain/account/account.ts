/** The signed-in account, as the sign-in service reports it. */
export interface Account {
  readonly uid: string
  readonly email: string | null
  readonly phone: string | null
  readonly emailVerified: boolean
  readonly usesPassword: boolean
}
