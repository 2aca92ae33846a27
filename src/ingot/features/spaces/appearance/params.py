"""Parameters of the appearance."""

from ingot.kit.params import Param, Params, UploadedFile


class ChangeAppearance(Params):
    """What is left out stays; a blank picture removes it."""

    title: str | None = Param("Name of the instance on its pages.")
    description: str | None = Param("Text of the sign-in page, in Markdown.")
    pwa_name: str | None = Param("Name of the installed web application.")
    pwa_short_name: str | None = Param("Short name of the installed web application.")
    pwa_description: str | None = Param("Description of the installed web application.")
    pwa_icon: UploadedFile | None = Param("Icon of the installed web application.")
    logo: UploadedFile | None = Param("Image on the sign-in page.")
    header_logo: UploadedFile | None = Param("Logo in the page header.")
    favicon: UploadedFile | None = Param("Favicon.")
    member_guidelines: str | None = Param("Text on the Members page, in Markdown.")
    new_project_guidelines: str | None = Param("Text of the page for new projects, in Markdown.")
    profile_image_guidelines: str | None = Param("Text below the picture of the profile, in Markdown.")
    header_message: str | None = Param("Message at the top of all pages.")
    footer_message: str | None = Param("Message at the bottom of all pages.")
    message_background_color: str | None = Param("Background of the messages, as `#RGB` or `#RRGGBB`.")
    message_font_color: str | None = Param("Text colour of the messages.")
    email_header_and_footer_enabled: bool | None = Param("Whether emails include the messages.")
