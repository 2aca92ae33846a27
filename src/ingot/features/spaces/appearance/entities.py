"""The look on the wire."""

from ingot.kit.entity import Entity


class Appearance(Entity):
    """Texts and addresses of pictures; unset ones are blank and null."""

    title: str
    description: str
    pwa_name: str
    pwa_short_name: str
    pwa_description: str
    pwa_icon: str | None
    logo: str | None
    header_logo: str | None
    favicon: str | None
    member_guidelines: str
    new_project_guidelines: str
    profile_image_guidelines: str
    header_message: str
    footer_message: str
    message_background_color: str
    message_font_color: str
    email_header_and_footer_enabled: bool
