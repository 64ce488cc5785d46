//! What the cash book refuses: the page's codes, in the page's language.

use serde::Serialize;

/// Why a call was refused. The names on the wire are the page's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The date is not `YYYY-MM-DD`, does not exist, or has not come yet.
    InvalidDate,
    /// The type is neither `receita` nor `despesa`.
    BadType,
    /// The amount is negative, zero or not a number.
    InvalidAmount,
    /// Another process holds the database.
    DbBusy,
    /// A required argument is missing, or not of a kind that could be one.
    MissingField,
    /// The period is not `YYYY-MM`.
    InvalidPeriod,
    /// Something failed inside; not on the page, which names no code for it.
    Internal,
}

/// A refusal as it is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Always false: nothing was done.
    sucesso: bool,
    /// Why.
    pub code: Code,
    /// The argument at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub campo: Option<&'static str>,
    /// What to do about it.
    pub mensagem: String,
}

impl Refusal {
    /// A refusal with `code` that tells the client what to do.
    pub fn new(code: Code, mensagem: impl Into<String>) -> Self {
        Self {
            sucesso: false,
            code,
            campo: None,
            mensagem: mensagem.into(),
        }
    }

    /// Names the argument at fault.
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.campo = Some(field);
        self
    }

    /// An argument that is not there.
    pub fn missing(field: &'static str) -> Self {
        Self::new(
            Code::MissingField,
            format!(
                "Campo obrigatório ausente: {field}. Solicite o campo ao usuário antes de reenviar."
            ),
        )
        .at(field)
    }

    /// An argument that should be a text.
    pub fn not_a_text(field: &'static str) -> Self {
        Self::new(
            Code::MissingField,
            format!(
                "O campo {field} deve ser um texto. Solicite o campo ao usuário antes de reenviar."
            ),
        )
        .at(field)
    }

    /// A type that is neither of the two.
    pub fn bad_type() -> Self {
        Self::new(
            Code::BadType,
            "type deve ser \"receita\" ou \"despesa\", exatamente assim. Normalize para um dos dois valores antes de reenviar.",
        )
        .at("type")
    }

    /// An amount that cannot be one.
    pub fn invalid_amount(reason: &str) -> Self {
        Self::new(
            Code::InvalidAmount,
            format!("amount {reason}. Solicite o valor correto ao usuário; nunca infira."),
        )
        .at("amount")
    }

    /// A date that cannot be one.
    pub fn invalid_date(reason: &str) -> Self {
        Self::new(
            Code::InvalidDate,
            format!("date {reason}. Corrija para o formato YYYY-MM-DD antes de reenviar."),
        )
        .at("date")
    }

    /// A period that cannot be one.
    pub fn invalid_period() -> Self {
        Self::new(
            Code::InvalidPeriod,
            "period deve estar no formato YYYY-MM, como \"2026-05\". Corrija antes de reenviar.",
        )
        .at("period")
    }

    /// A database that another process holds.
    pub fn busy() -> Self {
        Self::new(
            Code::DbBusy,
            "O banco de dados está travado por outra operação; nada foi gravado. Tente novamente após 200 ms, 400 ms e 800 ms (no máximo 3 vezes).",
        )
    }

    /// A failure inside. The cause is for the log.
    pub fn internal() -> Self {
        Self::new(
            Code::Internal,
            "Falha interna do servidor; nada foi gravado. Tente novamente.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_page() {
        for (code, expected) in [
            (Code::InvalidDate, "INVALID_DATE"),
            (Code::BadType, "BAD_TYPE"),
            (Code::InvalidAmount, "INVALID_AMOUNT"),
            (Code::DbBusy, "DB_BUSY"),
            (Code::MissingField, "MISSING_FIELD"),
            (Code::InvalidPeriod, "INVALID_PERIOD"),
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), expected);
        }
    }

    #[test]
    fn a_refusal_names_the_field_and_what_to_do() {
        let body = serde_json::to_value(Refusal::missing("category")).unwrap();
        assert_eq!(body["sucesso"], false);
        assert_eq!(body["code"], "MISSING_FIELD");
        assert_eq!(body["campo"], "category");
        assert!(body["mensagem"].as_str().unwrap().contains("category"));
        assert!(
            serde_json::to_value(Refusal::busy())
                .unwrap()
                .get("campo")
                .is_none()
        );
    }
}
