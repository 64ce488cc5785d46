//! Who owns an item from when on.

use crate::batch::SetOwners;
use crate::decimal::{Exact, Overflow};
use crate::ids::PartyId;
use crate::model::{Date, OwnerShare, OwnershipPeriod};
use crate::refusal::{Refusal, RefusalCode};
use crate::rules::{NewSplit, OwnerParts, OwnersTotal, Rules};

/// Refuses owners that do not add up to exactly one hundred, or of whom one is named twice.
pub(crate) fn checked(owners: &[OwnerShare], rules: &Rules) -> Result<(), Refusal> {
    let total = Exact::sum(owners.iter().map(|owner| Exact::from(owner.percent)))?;
    let hundred = Exact::whole(100);
    let adds_up = match rules.owners.total {
        OwnersTotal::Exactly => total == hundred,
        OwnersTotal::Roughly => total
            .minus(hundred)?
            .times(Exact::whole(50))?
            .rounded(0)?
            .is_zero(),
        OwnersTotal::Unchecked => true,
    };
    if !adds_up {
        let message = format!("the owners add up to {total}, not to 100");
        return Err(Refusal::new(RefusalCode::OwnersNotHundred, message).at("owners"));
    }
    for (place, owner) in owners.iter().enumerate() {
        if owner.percent.is_zero() || owner.percent.is_sign_negative() {
            return Err(Refusal::invalid(
                "owners",
                format!("{} owns nothing: leave it out", owner.party),
            ));
        }
        if owners
            .iter()
            .take(place)
            .any(|earlier| earlier.party == owner.party)
        {
            return Err(Refusal::invalid(
                "owners",
                format!("{} is named twice", owner.party),
            ));
        }
    }
    Ok(())
}

/// Adds a new split to the history: from its date on, or, as a correction, over everything from then.
pub(crate) fn change(
    history: &mut Vec<OwnershipPeriod>,
    change: &SetOwners,
    rules: &Rules,
) -> Result<(), Refusal> {
    let from = match rules.owners.new_split {
        NewSplit::FromItsDate | NewSplit::AddedToTheOld => change.from,
        NewSplit::RewritesPast => None,
    };
    let mut owners = change.owners.clone();
    if let (NewSplit::AddedToTheOld, Some(old)) = (rules.owners.new_split, history.last()) {
        let named = |owner: &&OwnerShare| !change.owners.iter().any(|new| new.party == owner.party);
        owners.extend(old.owners.iter().filter(named).cloned());
    }
    let corrects = change.correction || rules.owners.new_split == NewSplit::RewritesPast;
    if from.is_none() && !corrects {
        return Err(Refusal::invalid(
            "from",
            "say from when the owners change, or that it is a correction",
        ));
    }
    history.retain(|period| {
        if corrects {
            period.from < from
        } else {
            period.from != from
        }
    });
    let place = history.partition_point(|period| period.from < from);
    history.insert(place, OwnershipPeriod { from, owners });
    Ok(())
}

/// The split in force on a date.
pub(crate) fn on(history: &[OwnershipPeriod], date: Date) -> &[OwnerShare] {
    let after = history.partition_point(|period| period.from.is_none_or(|from| from <= date));
    let period = after.checked_sub(1).and_then(|place| history.get(place));
    period.map_or(&[], |period| period.owners.as_slice())
}

/// What each owner has of a figure, in the order of the split. The last takes the rest, so the parts add
/// up to the figure whatever its digits are.
pub(crate) fn parts(
    owners: &[OwnerShare],
    figure: Exact,
    rules: &Rules,
) -> Result<Vec<(PartyId, Exact)>, Overflow> {
    let mut left = figure;
    let last = owners.len().saturating_sub(1);
    let mut parts = Vec::with_capacity(owners.len());
    for (place, owner) in owners.iter().enumerate() {
        let exact = figure.times_over(owner.percent.into(), Exact::whole(100))?;
        let part = match rules.owners.parts {
            OwnerParts::Exact if place == last && owners.len() > 1 => left,
            OwnerParts::Exact => exact,
            OwnerParts::Cents => exact.rounded(2)?,
            OwnerParts::Whole => figure,
        };
        left = left.minus(part)?;
        parts.push((owner.party.clone(), part));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    fn share(party: &str, percent: &str) -> OwnerShare {
        OwnerShare {
            party: party.into(),
            percent: crate::decimal::parse(percent).expect("a decimal"),
        }
    }

    fn total(owners: &[&str]) -> Result<(), RefusalCode> {
        let owners: Vec<_> = owners
            .iter()
            .enumerate()
            .map(|(place, percent)| share(&format!("p{place}"), percent))
            .collect();
        checked(&owners, &Rules::default()).map_err(|refusal| refusal.code)
    }

    #[test]
    fn a_hundred_is_a_hundred_and_nothing_else_is() {
        assert_eq!(total(&["100.00"]), Ok(()));
        assert_eq!(total(&["33.33", "33.33", "33.34"]), Ok(()));
        for owners in [["33.33", "33.33", "33.33"], ["50", "50", "0.01"]] {
            assert_eq!(total(&owners), Err(RefusalCode::OwnersNotHundred));
        }
        assert_eq!(total(&["99.99"]), Err(RefusalCode::OwnersNotHundred));
        assert_eq!(total(&[]), Err(RefusalCode::OwnersNotHundred));
    }

    #[test]
    fn a_correction_replaces_everything_from_its_date() {
        let rules = Rules::default();
        let mut history = vec![OwnershipPeriod {
            from: None,
            owners: vec![share("a", "100")],
        }];
        let set = |from, correction, party| SetOwners {
            item: "i".into(),
            owners: vec![share(party, "100")],
            from,
            correction,
        };
        change(
            &mut history,
            &set(Some(date(2024, 1, 1)), false, "b"),
            &rules,
        )
        .expect("taken");
        assert_eq!(on(&history, date(2023, 12, 31)), [share("a", "100")]);
        assert_eq!(on(&history, date(2024, 1, 1)), [share("b", "100")]);
        change(
            &mut history,
            &set(Some(date(2023, 6, 1)), true, "c"),
            &rules,
        )
        .expect("taken");
        assert_eq!(on(&history, date(2023, 5, 31)), [share("a", "100")]);
        assert_eq!(on(&history, date(2024, 6, 1)), [share("c", "100")]);
        change(&mut history, &set(None, true, "d"), &rules).expect("taken");
        assert_eq!(on(&history, date(1999, 1, 1)), [share("d", "100")]);
        assert_eq!(history.len(), 1);
    }

    proptest! {
        #[test]
        fn parts_add_up_whatever_the_digits(units in any::<i64>(), first in 1u32..9999) {
            let figure = Exact::whole(units).over(Exact::whole(7))?;
            let second = 10_000 - first;
            let owners = [
                share("a", &format!("{}.{:02}", first / 100, first % 100)),
                share("b", &format!("{}.{:02}", second / 100, second % 100)),
            ];
            checked(&owners, &Rules::default())?;
            let parts = parts(&owners, figure, &Rules::default())?;
            prop_assert_eq!(Exact::sum(parts.into_iter().map(|(_, part)| part)), Ok(figure));
        }
    }
}
