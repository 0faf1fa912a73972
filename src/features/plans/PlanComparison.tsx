import { useLingui } from '@lingui/react'
import { Plural, Trans, useLingui as useLinguiMacro } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import {
  formatAmountInput,
  formatMoney,
  formatMoneyShort,
  type Money,
  money,
  parseAmount,
  type SourceCurrency,
} from '../../../domain/money/money.ts'
import { DEFAULT_FEE_PERCENT } from '../../../domain/prices/fees.ts'
import { checkTransferAmount } from '../../../domain/prices/limits.ts'
import {
  checkTransferCount,
  comparePlans,
  computeMaxTransfers,
  deriveSendingHabit,
  type MonthlyCost,
  type SendingHabit,
  stepAmount,
} from '../../../domain/prices/planComparison.ts'
import { PLANS } from '../../../domain/prices/plans.ts'
import { getAmounts } from '../../../domain/transfers/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { getAmountProblemText } from '../../ui/amountText.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CheckIcon, DownIcon } from '../../ui/icons/common.ts'
import { markUntranslated } from '../../ui/markUntranslated.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import classes from './Plans.module.css'
import { PLAN_NAMES } from './planMessages.ts'
import { Stepper } from './Stepper.tsx'

/** Default for a user without transfers. */
const EXAMPLE: SendingHabit = { amount: money(10_000, 'EUR'), count: 2 }

/** A user sends fewer transfers in three months. */
const MAX_ROWS = 400

async function readHabit({ transactions }: UserDatabase): Promise<SendingHabit> {
  const rows = await transactions.orderBy('createdAt').reverse().limit(MAX_ROWS).toArray()
  const transfers = rows.map((row) => ({ gross: getAmounts(row).gross, createdAt: row.createdAt }))
  return deriveSendingHabit(transfers, serverNow()) ?? EXAMPLE
}

interface Props {
  readonly own: Tier | null
  readonly chosen: Tier | null
  readonly isBusy: boolean
  /** Null while the user has a plan. */
  readonly onChoose: ((tier: Tier) => void) | null
  readonly message: ReactNode
}

export function PlanComparison({ uid, ...props }: Props & { uid: string }) {
  const habit = useLiveQuery(uid, readHabit)
  return habit ? <Comparison usual={habit} {...props} /> : <Skeleton />
}

const SYMBOLS: Record<SourceCurrency, string> = { EUR: '€', CAD: '$' }
const CURRENCIES = Object.keys(SYMBOLS) as SourceCurrency[]

function Comparison({ usual, own, chosen, isBusy, onChoose, message }: Props & { usual: SendingHabit }) {
  const { i18n } = useLingui()
  const { t } = useLinguiMacro()
  const language = useLanguage()
  const noteFocus = useRestoreFocus(isBusy)
  const [currency, setCurrency] = useState(usual.amount.currency)
  const [amount, setAmount] = useState(() => formatAmountInput(usual.amount, language))
  const [count, setCount] = useState(String(usual.count))
  // While an input is invalid, the last comparison stays visible next to the problem.
  const [habit, setHabit] = useState(usual)
  /** Undefined selects the cheapest row. */
  const [choice, setChoice] = useState<Tier | null | undefined>(chosen ?? undefined)

  const parsed = parseAmount(amount, currency)
  const gross = parsed.ok ? checkTransferAmount(parsed.value) : parsed
  const times = checkTransferCount(count, gross.ok ? gross.value : habit.amount)
  if (
    gross.ok &&
    times.ok &&
    (gross.value.minor !== habit.amount.minor ||
      gross.value.currency !== habit.amount.currency ||
      times.value !== habit.count)
  )
    setHabit({ amount: gross.value, count: times.value })

  const { costs, cheapest, saving } = comparePlans(habit)
  const most = times.ok || times.error.kind === 'countRequired' ? null : times.error.most
  const name = cheapest && PLAN_NAMES[cheapest]
  const saved = markUntranslated(formatMoney(money(saving, 'EUR'), language))
  const selected = choice === undefined ? cheapest : choice
  const current = gross.ok ? gross.value : habit.amount
  const currentCount = times.ok ? times.value : Math.min(habit.count, most ?? habit.count)
  const next = { down: stepAmount(current, 'down'), up: stepAmount(current, 'up') }
  return (
    <section className={classes.comparison} aria-labelledby="compare">
      <div className={classes.head}>
        <h2 id="compare">
          <Trans>Votre mois, au meilleur prix</Trans>
        </h2>
        <span className={classes.currency}>
          <select
            name="habitCurrency"
            aria-label={t`Devise du transfert`}
            value={currency}
            onChange={({ currentTarget: { value } }) =>
              setCurrency(CURRENCIES.find((one) => one === value) ?? currency)
            }
          >
            {CURRENCIES.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
          <DownIcon isSmall />
        </span>
      </div>
      <div className={classes.habit}>
        <Stepper
          name="habitAmount"
          label={t`Montant par transfert`}
          shownLabel={t`Par transfert`}
          inputMode="decimal"
          maxLength={20}
          value={amount}
          unit={SYMBOLS[currency]}
          isLeast={next.down.minor === current.minor}
          isMost={next.up.minor === current.minor}
          error={gross.ok ? null : getAmountProblemText(gross.error, i18n)}
          onChange={setAmount}
          onStep={(direction) => setAmount(formatAmountInput(next[direction], language))}
        />
        <Stepper
          name="habitCount"
          label={t`Transferts par mois`}
          shownLabel={t`Par mois`}
          inputMode="numeric"
          maxLength={6}
          value={count}
          isLeast={currentCount <= 1}
          isMost={currentCount >= computeMaxTransfers(current)}
          error={
            times.ok ? null : most === null ? (
              <Trans>Saisissez un nombre de transferts</Trans>
            ) : (
              <Plural
                value={most}
                _0="Le plafond mensuel ne laisse passer aucun transfert de ce montant"
                one="Le plafond mensuel laisse passer # transfert de ce montant"
                other="Le plafond mensuel laisse passer # transferts de ce montant"
              />
            )
          }
          onChange={setCount}
          onStep={(direction) => setCount(String(currentCount + (direction === 'up' ? 1 : -1)))}
        />
      </div>
      <div role="status" className={classes.advice}>
        {cheapest ? (
          <>
            <strong>
              <Trans>{name} est le moins cher pour vous</Trans>
            </strong>
            <div>
              <Trans>Vous économisez {saved} par mois, abonnement compris.</Trans>{' '}
              {own !== null && own !== cheapest && (
                <Trans>Pour changer de forfait, résiliez d’abord le vôtre.</Trans>
              )}
            </div>
          </>
        ) : (
          <>
            <strong>
              <Trans>Aucun forfait n’est moins cher pour vous</Trans>
            </strong>
            <div>
              <Trans>
                À ce montant et à ce rythme, restez sans forfait : vous ne payez que vos transferts.
              </Trans>
            </div>
          </>
        )}
      </div>
      <fieldset className={classes.offers}>
        <legend className="unseen">
          <Trans>Forfait</Trans>
        </legend>
        {costs.map((cost) => (
          <Offer
            key={cost.tier}
            cost={cost}
            amount={habit.amount}
            isCheapest={cost.tier === cheapest}
            isOwn={cost.tier === own}
            isSelected={cost.tier === selected}
            isBusy={isBusy}
            onSelect={onChoose && (() => setChoice(cost.tier))}
          />
        ))}
      </fieldset>
      {message}
      {selected && onChoose && (
        <Button
          fullWidth
          loading={isBusy}
          onClick={() => {
            noteFocus()
            onChoose(selected)
          }}
        >
          <SubscribeText name={PLAN_NAMES[selected]} />
        </Button>
      )}
      <p className={classes.quiet}>
        <Trans>
          Prix d’un mois, abonnement et frais compris. Au-delà : {DEFAULT_FEE_PERCENT} % de frais. Sans
          engagement.
        </Trans>
      </p>
    </section>
  )
}

const SubscribeText = ({ name }: { name: string }) => <Trans>S’abonner à {name}</Trans>

function Offer({
  cost: { tier, total },
  amount,
  isCheapest,
  isOwn,
  isSelected,
  isBusy,
  onSelect,
}: {
  cost: MonthlyCost
  amount: Money<SourceCurrency>
  isCheapest: boolean
  isOwn: boolean
  isSelected: boolean
  isBusy: boolean
  onSelect: (() => void) | null
}) {
  const language = useLanguage()
  const plan = tier && PLANS[tier]
  const name = tier && PLAN_NAMES[tier]
  const allowance = plan?.allowance ?? 0
  const monthly = plan && markUntranslated(formatMoneyShort(plan.price, language))
  const fee = plan && formatMoneyShort(money(plan.fee, amount.currency), language)
  const content = (
    <span className={classes.lines}>
      <strong>{plan ? <Trans>Forfait {name}</Trans> : <Trans>Sans forfait</Trans>}</strong>{' '}
      <span className={classes.price}>{markUntranslated(formatMoney(money(total, 'EUR'), language))}</span>{' '}
      <span className={classes.quiet}>
        {plan && (
          <>
            <Trans>{monthly} par mois</Trans>,{' '}
          </>
        )}
        {!plan ? (
          <Trans>{DEFAULT_FEE_PERCENT} % de frais par transfert</Trans>
        ) : plan.fee === 0 ? (
          <Plural value={allowance} one="# transfert sans frais" other="# transferts sans frais" />
        ) : (
          <Plural
            value={allowance}
            one={`# transfert à ${fee} de frais`}
            other={`# transferts à ${fee} de frais`}
          />
        )}
      </span>{' '}
      <span className={classes.badges}>
        {isOwn && (
          <Badge>
            <Trans>Le vôtre</Trans>
          </Badge>
        )}{' '}
        {isCheapest && (
          <Badge kind="success">
            <Trans>Le moins cher</Trans>
          </Badge>
        )}
      </span>
    </span>
  )
  return onSelect ? (
    <label className={classes.offer}>
      <input
        type="radio"
        name="plan"
        checked={isSelected}
        aria-disabled={isBusy}
        onChange={() => !isBusy && onSelect()}
      />
      <span className={classes.mark}>
        <CheckIcon isSmall />
      </span>
      {content}
    </label>
  ) : (
    <p className={classes.offer} data-own={isOwn && tier !== null}>
      {content}
    </p>
  )
}
