"""Risky words of common languages are known, and what people click all day in these languages is not risky."""

from typing import Final

import pytest

from mark_i.guard.policy import DEFAULT
from mark_i.guard.words import asks_for_amount, asks_for_recipient, bin_in, first_word, known_words, letters
from tests.mark_i.guard.pretended import Shown, click, tried

RISKY: Final = {
    "english": "Submit, Approve, Sign, Reset, Replace, Unsubscribe, Revoke, Submit order, Don't save, Kill, Allow, "
    "Merge pull request, Run anyway, Clear all, Force stop, Log out of all devices, Start free trial, Restart",
    "german": "Zahlen, Zulassen, Neu starten, Bestellung abschließen, Jetzt zahlen, Abschicken, Kündigen, "
    "Löschen, Ersetzen, Unterschreiben, ZAHLUNGSPFLICHTIG BESTELLEN",
    "french": "Procéder au paiement, Redémarrer, Souscrire, Commander, Valider le paiement, Résilier, "
    "Se désabonner, Soumettre, Payer 12 €, Ne pas enregistrer",
    "spanish": "Realizar pago, Permitir, Salir sin guardar, Pagar ahora, Realizar pedido, Vaciar papelera, "
    "Darse de baja, Firmar, Restablecer, Sobrescribir",
    "italian": "Procedi al pagamento, Consenti, Cancella, Paga, Paga ora, Esegui bonifico, Disdici, "
    "Svuota cestino, Firma, Sostituisci tutto",
    "portuguese": "Efetuar pagamento, Permitir, Excluir conta, Apagar, Finalizar compra, Esvaziar lixeira, "
    "Assinar, Não salvar, Substituir",
    "dutch": "Toestaan, Naar kassa, Verwijderen, Nu betalen, Bestelling plaatsen, Opzeggen, Ondertekenen, "
    "Niet opslaan, Versturen",
    "polish": "Zezwól, Przejdź do płatności, Usuń, Kup teraz, Zamawiam i płacę, Wyślij, Opróżnij kosz, "
    "Podpisz, Zatwierdź, Nie zapisuj",
    "russian": "Перейти к оплате, Разрешить, Удалить, Оплатить, Купить сейчас, Отправить, Заменить все, "
    "Отписаться, Подписать, Не сохранять",
    "turkish": "İzin ver, Kaydetmeden çık, Sil, SİL, Satın al, Siparişi onayla, Gönder, Çöpü boşalt, "
    "Sıfırla, İmzala, Abonelikten çık",
    "swedish": "Tillåt, Till kassan, Ta bort, Radera, Köp nu, Skicka, Säg upp, Töm papperskorgen, Godkänn, "
    "Signera, Spara inte",
    "japanese": "決済する, 許可, 再起動, 削除, 完全に削除する, 今すぐ支払う, 購入手続き, 注文を確定, 送信, "
    "解約する, 上書き保存, 承認",
    "chinese": "允许, 重新启动, 删除, 永久删除, 立即支付, 提交订单, 发送, 转账, 取消订阅, 替换, 格式化, "
    "批准, 簽署, 刪除帳號",
    "korean": "허용, 다시 시작, 삭제, 영구삭제하기, 결제하기, 지금 구매, 보내기, 이체, 구독 취소, 덮어쓰기, "
    "초기화, 승인, 서명하기",
}
ORDINARY: Final = (
    "Sign in, Sign up, Sign out, Sign-in options, Save, Save as, Open, Close, Cancel, Next, Back, OK, "
    "Search, Settings, Help, Edit, View, File, New, Print, Copy, Paste, Undo, Redo, Download, "
    "Details, Home, Find and Replace, Reset zoom, Blog posts, Conditional formatting, Post code, "
    "Filter, Sort, Zoom in, Add to cart, Compose, Reply, Inbox, Sent, Drafts, Bold, Insert, Anmelden, "
    "Abmelden, Suchen, Weiter, Zurück, Speichern, Öffnen, Abbrechen, Einstellungen, Hilfe, Datei, "
    "Bearbeiten, Ansicht, In den Warenkorb, Rechercher, Ouvrir, Enregistrer, Annuler, Suivant, "
    "Fichier, Affichage, Ajouter au panier, Connexion, Guardar, Abrir, Cancelar, Siguiente, Buscar, "
    "Su cuenta, Vista del documento, Añadir al carrito, Salva, Apri, Annulla, Avanti, Cerca, Salvar, "
    "Procurar, Voltar, Opslaan, Openen, Zoeken, Volgende, Annuleren, Zapisz, Otwórz, Szukaj, Dalej, "
    "Anuluj, Сохранить, Открыть, Отмена, Далее, Найти, Kaydet, Aç, Ara, İleri, İptal, Spara, Öppna, "
    "Sök, Nästa, Avbryt, 保存, 開く, 検索, 次へ, 戻る, 注文履歴, 打开, 搜索, 下一步, 取消, 购买记录, "
    "저장, 열기, 검색, 다음, 취소, 주문 내역, Merge cells, Ausführen, Ich bin einverstanden, Presentar, "
    "Clear all filters"
)


@pytest.mark.parametrize("language", RISKY)
def test_risky_words_of_a_language_are_known(language: str) -> None:
    assert [label for label in RISKY[language].split(", ") if not DEFAULT.risky_label([label])] == []


def test_ordinary_labels_are_not_risky() -> None:
    assert {label: word for label in ORDINARY.split(", ") if (word := DEFAULT.risky_label([label]))} == {}


def test_a_command_counts_on_a_button_only_if_it_is_a_word() -> None:
    assert DEFAULT.risky_label(["Su cuenta", "dd.mm.yyyy", "rm"]) is None
    assert DEFAULT.risky_label(["Reboot"]) == "reboot"
    assert DEFAULT.risky_word(["x; rm -rf ~"]) == "rm"


def test_every_word_is_listed_once_in_its_language_and_can_be_found() -> None:
    words = known_words()
    assert len(words.risky) > 800
    assert [word for word in words.risky if not letters(word) or not DEFAULT.risky_word([word])] == []


BINNED: Final = (
    "Move to Trash, Mover a la papelera, Mover para a lixeira, Déplacer vers la corbeille, 移到回收站, "
    "ゴミ箱へ移動する, "
    "휴지통으로 옮기기, Flyt til papirkurv, Siirrä roskakoriin, Přesunout do koše, Naar de prullenbak, "
    "Çöp kutusuna taşı, В корзину, Move to Deleted Items"
)
OPENED: Final = (
    "Trash, Recycle Bin, Papierkorb, Corbeille, 回收站, ゴミ箱, Trash (3), Deleted mails stay in the trash for 30 days"
)


def test_a_label_that_names_a_bin_with_other_words_moves_something_there() -> None:
    assert [label for label in BINNED.split(", ") if not (bin_in(label) or DEFAULT.risky_label([label]))] == []
    assert [label for label in OPENED.split(", ") if bin_in(label)] == []
    assert tried(Shown(("button Flyt til papirkurv",)), [click("Flyt til papirkurv")]).asked
    assert not tried(Shown(("button Trash | text Ann: lunch",)), [click("Trash")]).stopped


RECIPIENTS: Final = (
    "To, To (required), Pay to, Payee, Recipient's name, Zahlungsempfänger, Begünstigter, Destinatario, "
    "Bénéficiaire, À, "
    "Beneficiario, Ontvanger, Aan, Odbiorca, Получатель, Кому, Mottagare, Modtager, Alıcı, 受取人, 宛先, "
    "收款人, 받는 사람"
)
AMOUNTS: Final = (
    "Amount, Rechnungsbetrag, Summe, Montant, Importe, Importo, Valor, Bedrag, Kwota, Сумма, "
    "Belopp, Tutar, 金額, 金额, 금액"
)
OTHER_FIELDS: Final = (
    "Name, Street, Search, Subject, Note, Betreff, Nachricht, Objet, Asunto, Today, Anrede, Summary, Вопрос, 件名"
)


def test_fields_for_recipients_and_amounts_are_known_by_their_labels() -> None:
    assert [label for label in RECIPIENTS.split(", ") if not asks_for_recipient(label)] == []
    assert [label for label in AMOUNTS.split(", ") if not asks_for_amount(label)] == []
    assert [one for one in OTHER_FIELDS.split(", ") if asks_for_recipient(one) or asks_for_amount(one)] == []


@pytest.mark.parametrize("text", ["d\u0131scard it", "DISCARD IT", "d\u00edscard  it", "or discard_it", "Discard it!"])
def test_a_word_is_found_however_its_letters_are_written(text: str) -> None:
    assert first_word(("keep it", "discard it", "it"), text) == "discard it"
    assert first_word(("keep it", "discard it now"), text) is None
